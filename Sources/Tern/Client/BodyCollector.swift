// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernFoundation

/// Gathers the pieces of a body in memory.
struct BodyCollector {
    private(set) var byteCount = 0
    private var data = Data()
    private var room: BodyCapacity

    /// The number of bytes after which a body moves to ``BodyMemory``: one large page, so that a server that only announces much
    /// gets none.
    private static let movedByteCount = 2 << 20
    /// The announced length from which on a body moves; without one, the length that the limit allows.
    private static let minimumMovedByteCount = 4 << 20
    /// The maximum number of addresses to reserve if no length was announced; a longer body is copied once.
    private static let maximumReservedByteCount = 1 << 30

    /// The maximum length that the body can have in ``BodyMemory``; `nil` if the body is too short for it.
    private let movableByteCount: Int?
    private var memory: BodyMemory?

    init(announced byteCount: Int64?, limit: Int) {
        self.room = BodyCapacity(announced: byteCount)
        let maximum = byteCount.map { Int(clamping: $0) } ?? min(limit, Self.maximumReservedByteCount)
        self.movableByteCount = maximum >= Self.minimumMovedByteCount ? maximum : nil
    }

    mutating func append(_ piece: ByteBuffer) {
        self.byteCount += piece.readableBytes
        piece.withUnsafeReadableBytes { bytes in
            let previousByteCount = self.byteCount - bytes.count
            if previousByteCount < Self.movedByteCount, self.byteCount >= Self.movedByteCount { self.move() }
            if let memory = self.memory {
                if memory.append(bytes) { return }
                self.data = self.finish()
            }
            if let byteCount = self.room.grow(toHold: self.byteCount) { self.data.reserveCapacity(byteCount) }
            self.data.append(contentsOf: bytes)
        }
    }

    private mutating func move() {
        guard let maximum = self.movableByteCount, let memory = BodyMemory(maximumByteCount: maximum) else { return }
        guard self.data.withUnsafeBytes({ memory.append($0) }) else { return }
        self.memory = memory
        self.data = Data()
    }

    var hasMoved: Bool { self.memory != nil }

    /// Returns the body; add no piece after that.
    mutating func finish() -> Data {
        if let memory = self.memory.take() { return memory.finish() }
        return self.data
    }
}
