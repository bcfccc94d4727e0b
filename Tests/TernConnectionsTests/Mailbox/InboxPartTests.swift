// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import Testing

/// Tests the parts of larger buffers, such as the frames of several streams that arrive in one read.
@Suite("InboxStateMachine: parts of larger buffers")
struct InboxPartTests {
    private static let inputByteCount = 1 << 18

    /// A large buffer with bytes that differ.
    private static let input: ByteBuffer = {
        // A prime number of bytes, so that no part looks like another at a power of two.
        let pattern = [UInt8](0...250)
        var input = ByteBuffer()
        while input.readableBytes < inputByteCount { input.writeBytes(pattern) }
        return input.getSlice(at: 0, length: inputByteCount) ?? input
    }()

    /// An inbox whose reader waits for a number of bytes.
    private static func makeMachine(waitingFor minimum: Int) -> InboxStateMachine {
        var machine = InboxStateMachine(limit: 1 << 18)
        if case .wait(let reader, _) = machine.readRequested(atLeast: minimum, deadline: nil) {
            _ = machine.suspended(reader)
        }
        return machine
    }

    /// Adds the input in parts of a length, and returns the pieces that a reader gets.
    private static func pieces(of parts: Int, _ machine: inout InboxStateMachine, count: Int) -> [ByteBuffer] {
        for start in stride(from: 0, to: count, by: parts) {
            guard let part = input.getSlice(at: start, length: min(parts, count - start)) else { continue }
            machine.received(partOfBuffer: part)
        }
        let resumed = machine.readCompleted().effects.resume
        var pieces: [ByteBuffer] = []
        if case .success(let first?) = resumed { pieces.append(first) }
        while let piece = machine.taken().bytes { pieces.append(piece) }
        return pieces
    }

    @Test func `short parts do not keep the larger buffer`() {
        var machine = Self.makeMachine(waitingFor: 1)
        let pieces = Self.pieces(of: 100, &machine, count: 100)
        #expect(pieces.map(\.readableBytes) == [100])
        #expect(pieces.map(\.storageCapacity) == [256])
    }

    @Test func `short parts share a piece`() {
        var machine = Self.makeMachine(waitingFor: 1)
        #expect(Self.pieces(of: 50, &machine, count: 500).map(\.readableBytes) == [250, 250])
    }

    @Test func `long parts do not keep the larger buffer either`() {
        var machine = Self.makeMachine(waitingFor: 1)
        let pieces = Self.pieces(of: 16_384, &machine, count: 1 << 16)
        #expect(pieces.map(\.readableBytes) == [16_384, 16_384, 16_384, 16_384])
        #expect(pieces.allSatisfy { $0.storageCapacity == 16_384 })
    }

    @Test func `long parts become one piece for a reader that waits for all of them`() {
        var machine = Self.makeMachine(waitingFor: 1 << 16)
        let pieces = Self.pieces(of: 16_384, &machine, count: 1 << 16)
        #expect(pieces.map(\.readableBytes) == [1 << 16])
        #expect(pieces.map(\.storageCapacity) == [1 << 16])
    }

    @Test func `a piece has at most 128 KiB`() {
        var machine = Self.makeMachine(waitingFor: 1 << 18)
        let pieces = Self.pieces(of: 16_384, &machine, count: 1 << 18)
        #expect(pieces.map(\.readableBytes) == [1 << 17, 1 << 17])
    }

    @Test(arguments: [1, 7, 255, 256, 257, 1023, 1024, 1025, 8192, 16_375, 16_384, 100_000, 1 << 18])
    func `no byte is lost, doubled or moved`(_ parts: Int) {
        for minimum in [1, 1024, 5000, 1 << 16, 1 << 18] {
            var machine = Self.makeMachine(waitingFor: minimum)
            var joined = ByteBuffer()
            let count = min(Self.inputByteCount, parts * 3000)  // so many calls are enough
            for piece in Self.pieces(of: parts, &machine, count: count) { joined.writeImmutableBuffer(piece) }
            #expect(joined == Self.input.getSlice(at: 0, length: count))
            #expect(machine.isPristine)
        }
    }

    @Test func `parts that arrive after the end are dropped`() {
        var machine = InboxStateMachine(limit: 1 << 18)
        _ = machine.ended(nil)
        machine.received(partOfBuffer: ByteBuffer(string: "late"))
        #expect(machine.taken().bytes == nil)
    }
}
