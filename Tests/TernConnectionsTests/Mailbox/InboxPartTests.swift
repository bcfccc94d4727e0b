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

    // MARK: Memory that is used again

    /// Adds 128 KiB for a reader that waits for them, and returns the piece that the reader gets.
    private static func longPiece(_ machine: inout InboxStateMachine, filledWith byte: UInt8) -> ByteBuffer? {
        if case .wait(let reader, _) = machine.readRequested(atLeast: 1 << 17, deadline: nil) {
            _ = machine.suspended(reader)
        }
        for _ in 0..<8 { machine.received(partOfBuffer: ByteBuffer(repeating: byte, count: 1 << 14)) }
        guard case .success(let piece) = machine.readCompleted().effects.resume else { return nil }
        return piece
    }

    private static func address(_ buffer: ByteBuffer) -> Int {
        buffer.withVeryUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    }

    @Test func `the memory of a long piece is used again once the reader has released it`() {
        var machine = InboxStateMachine(limit: 1 << 18)
        let addresses = (0..<6).compactMap { Self.longPiece(&machine, filledWith: $0).map(Self.address) }
        #expect(addresses.count == 6 && Set(addresses).count == 1)
    }

    @Test func `pieces that the reader keeps do not change`() {
        var machine = InboxStateMachine(limit: 1 << 18)
        let pieces = (0..<6).compactMap { Self.longPiece(&machine, filledWith: $0) }
        #expect(pieces == (0..<6).map { ByteBuffer(repeating: $0, count: 1 << 17) })
        #expect(Set(pieces.map(Self.address)).count == 6)
    }

    @Test func `a reader that keeps some pieces gets memory that it has released`() {
        var machine = InboxStateMachine(limit: 1 << 18)
        var kept: [ByteBuffer] = []
        for byte in UInt8(0)..<60 {
            guard let piece = Self.longPiece(&machine, filledWith: byte) else { continue }
            kept.append(piece)
            if kept.count == 3 { kept.remove(at: Int(byte) % 3) }
            let whole = kept.allSatisfy { piece in
                piece.getInteger(at: piece.readerIndex, as: UInt8.self).map {
                    piece == ByteBuffer(repeating: $0, count: 1 << 17)
                } ?? false
            }
            #expect(whole)
        }
    }

    @Test func `the end releases the memory`() {
        for closes in [false, true] {
            var machine = InboxStateMachine(limit: 1 << 18)
            var last = Self.longPiece(&machine, filledWith: 1)
            _ = closes ? machine.closed() : machine.ended(nil)
            let address = last.map(Self.address)
            last?.clear()  // keeps the memory only if nothing else refers to it
            #expect(last.map(Self.address) == address)
        }
    }
}
