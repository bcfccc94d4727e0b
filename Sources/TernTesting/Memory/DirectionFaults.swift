// SPDX-License-Identifier: Apache-2.0

/// The combined effect of a list of faults on one direction of a connection.
struct DirectionFaults: Sendable {
    /// An end that a fault causes: the number of bytes before the end, and the kind of end.
    struct Ending: Sendable {
        var byteCount: Int
        var end: MemoryPipe.End
    }

    /// The maximum number of bytes that the receiver gets in one piece; `nil` without a limit.
    private(set) var maximumPieceByteCount: Int?
    /// The number of bytes after which nothing more arrives; `nil` if no fault stalls the direction.
    private(set) var stallByteCount: Int?
    /// The earliest end that a fault causes; `nil` if there is none.
    private(set) var ending: Ending?

    /// The faults that count from the start of the first body.
    ///
    /// Empty once the body has begun.
    private var bodyEvents: [(kind: Adversity.Kind, byteCount: Int)] = []
    private var search = BodySearch()

    init(_ adversities: [Adversity]) {
        for adversity in adversities {
            switch adversity.content {
            case .drip(let count): self.maximumPieceByteCount = max(1, min(self.maximumPieceByteCount ?? count, count))
            case .event(let kind, .connection(let count)): self.add(kind, after: count)
            case .event(let kind, .body(let count)): self.bodyEvents.append((kind, count))
            }
        }
    }

    private mutating func add(_ kind: Adversity.Kind, after byteCount: Int) {
        switch kind {
        case .stall: self.stallByteCount = min(self.stallByteCount ?? byteCount, byteCount)
        case .cut: self.end(after: byteCount, .close)
        case .reset: self.end(after: byteCount, .reset)
        case .halfClose: self.end(after: byteCount, .finish)
        }
    }

    private mutating func end(after byteCount: Int, _ end: MemoryPipe.End) {
        guard byteCount < self.ending?.byteCount ?? .max else { return }
        self.ending = Ending(byteCount: byteCount, end: end)
    }

    /// Searches sent bytes for the start of the first body.
    ///
    /// Call this method with every sent byte, before the byte is delivered.
    mutating func read(_ bytes: some Sequence<UInt8>) {
        guard !self.bodyEvents.isEmpty else { return }
        for byte in bytes {
            guard let start = self.search.read(byte) else { continue }
            for event in self.bodyEvents { self.add(event.kind, after: start + event.byteCount) }
            self.bodyEvents = []
            return
        }
    }

    /// Returns the number of bytes that may be delivered in one piece, after `delivered` bytes in total.
    func allowance(after delivered: Int) -> Int {
        var allowance = self.maximumPieceByteCount ?? .max
        if let stallByteCount { allowance = min(allowance, stallByteCount - delivered) }
        if let ending { allowance = min(allowance, ending.byteCount - delivered) }
        return max(0, allowance)
    }
}
