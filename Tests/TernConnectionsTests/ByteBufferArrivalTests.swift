// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import Testing

@Suite("ByteBuffer.append(arrived:)")
struct ByteBufferArrivalTests {
    @Test func `what arrives when nothing is left is taken as it is`() {
        var buffer = ByteBuffer(string: "read")
        buffer.moveReaderIndex(forwardBy: 4)
        buffer.append(arrived: ByteBuffer(string: "new"))
        #expect(String(buffer: buffer) == "new")
        #expect(buffer.readerIndex == 0)
    }

    @Test func `what is left stays in front`() {
        var buffer = ByteBuffer(string: "read and left")
        buffer.moveReaderIndex(forwardBy: 9)
        buffer.append(arrived: ByteBuffer(string: ", then new"))
        #expect(String(buffer: buffer) == "left, then new")
        #expect(buffer.readerIndex == 0)
    }

    /// Every read ends within a header: the frame header of a WebSocket, or the chunk header of a response.
    @Test(arguments: [1, 13, 125, 4096])
    func `memory does not grow with what was read`(left: Int) {
        var (buffer, largestCapacity) = (ByteBuffer(), 0)
        var slices: [ByteBuffer] = []
        for _ in 0..<1000 {
            buffer.append(arrived: ByteBuffer(repeating: 7, count: 8192))
            if let slice = buffer.readSlice(length: buffer.readableBytes - left) { slices = [slice] }
            largestCapacity = max(largestCapacity, buffer.capacity)
        }
        #expect(slices.count == 1)
        #expect(largestCapacity <= 32 << 10)
    }
}
