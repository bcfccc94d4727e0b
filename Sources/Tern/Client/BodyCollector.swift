// SPDX-License-Identifier: Apache-2.0
import NIOCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Gathers the pieces of a body in memory.
struct BodyCollector {
    /// The number of bytes so far.
    private(set) var byteCount = 0
    private var data = Data()
    private var room: BodyCapacity

    #if os(Linux)
    /// The number of bytes after which a long body moves to ``BodyMemory``.
    ///
    /// A large page has 2 MiB. A server that announces a long body, and sends little of it, gets none.
    private static let movedByteCount = 1 << 20

    private let announcedByteCount: Int64?
    private var memory: BodyMemory?
    #endif

    /// Creates a collector that has no bytes.
    ///
    /// - Parameter byteCount: The announced length of the body; `nil` if none was announced.
    init(announced byteCount: Int64?) {
        self.room = BodyCapacity(announced: byteCount)
        #if os(Linux)
        self.announcedByteCount = byteCount
        #endif
    }

    /// Adds a piece at the end.
    mutating func append(_ piece: ByteBuffer) {
        let previousByteCount = self.byteCount
        self.byteCount += piece.readableBytes
        piece.withUnsafeReadableBytes { bytes in
            #if os(Linux)
            if previousByteCount < Self.movedByteCount, self.byteCount >= Self.movedByteCount { self.move() }
            if let memory = self.memory {
                if memory.append(bytes) { return }
                self.data = self.finish()
            }
            #endif
            if let byteCount = self.room.grow(toHold: self.byteCount) { self.data.reserveCapacity(byteCount) }
            self.data.append(contentsOf: bytes)
        }
    }

    #if os(Linux)
    /// Moves the bytes to large pages, if the body is long enough for them.
    private mutating func move() {
        guard let memory = BodyMemory(announced: self.announcedByteCount) else { return }
        guard self.data.withUnsafeBytes({ memory.append($0) }) else { return }
        self.memory = memory
        self.data = Data()
    }
    #endif

    /// Returns the body; add no piece after that.
    mutating func finish() -> Data {
        #if os(Linux)
        if let memory = self.memory.take() { return memory.finish() }
        #endif
        return self.data
    }
}
