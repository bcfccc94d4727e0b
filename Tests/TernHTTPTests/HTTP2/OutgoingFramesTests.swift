// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import TernHTTP

@Suite("OutgoingFrames")
struct OutgoingFramesTests {
    private static func pieces(_ contents: [Int]) -> [ByteBuffer] {
        var frames = OutgoingFrames()
        for (index, byteCount) in contents.enumerated() {
            frames.append([UInt8](repeating: 0xFF, count: 9))
            frames.append(content: ByteBuffer(repeating: UInt8(index), count: byteCount).readableBytesView)
        }
        var pieces: [ByteBuffer] = []
        frames.forEachPiece { pieces.append($0) }
        return pieces
    }

    @Test func `nothing has no piece`() { #expect(Self.pieces([]).isEmpty) }

    @Test func `short frames share a piece`() { #expect(Self.pieces([10, 20]).map(\.readableBytes) == [48]) }

    @Test func `long content is a piece of its own`() {
        #expect(Self.pieces([1 << 17, 10, 1 << 16]).map(\.readableBytes) == [9, 1 << 17, 28, 1 << 16])
    }

    @Test(arguments: [[], [1], [1 << 15], [(1 << 15) - 1], [5, 1 << 15, 5], [1 << 15, 1 << 15], [1 << 16, 0, 3]])
    func `the bytes are those of the frames, in their order`(_ contents: [Int]) {
        var expected = ByteBuffer()
        for (index, byteCount) in contents.enumerated() {
            expected.writeRepeatingByte(0xFF, count: 9)
            expected.writeRepeatingByte(UInt8(index), count: byteCount)
        }
        var joined = ByteBuffer()
        for piece in Self.pieces(contents) { joined.writeImmutableBuffer(piece) }
        #expect(joined == expected)
    }

    @Test func `long content is not copied`() {
        let content = ByteBuffer(repeating: 7, count: 1 << 17)
        var frames = OutgoingFrames()
        frames.append([1])
        frames.append(content: content.readableBytesView)
        var addresses: [UnsafeRawPointer?] = []
        frames.forEachPiece { addresses.append($0.withVeryUnsafeBytes { $0.baseAddress }) }
        #expect(addresses.last == content.withVeryUnsafeBytes { $0.baseAddress })
    }
}
