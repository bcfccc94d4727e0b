// SPDX-License-Identifier: Apache-2.0

/// The combined effect of a list of faults on one direction of a connection.
struct DirectionFaults: Sendable {
    struct Ending: Sendable {
        var byteCount: Int
        var end: MemoryPipe.End
    }

    private(set) var maximumPieceByteCount: Int?
    private(set) var stallByteCount: Int?
    private(set) var ending: Ending?

    /// The faults that count from the start of the first body; empty once the body has begun.
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

    /// Searches for the start of the first body; must get every sent byte before it is delivered.
    mutating func read(_ bytes: some Sequence<UInt8>) {
        guard !self.bodyEvents.isEmpty else { return }
        for byte in bytes {
            guard let start = self.search.read(byte) else { continue }
            for event in self.bodyEvents { self.add(event.kind, after: start + event.byteCount) }
            self.bodyEvents = []
            return
        }
    }

    func allowance(after delivered: Int) -> Int {
        var allowance = self.maximumPieceByteCount ?? .max
        if let stallByteCount { allowance = min(allowance, stallByteCount - delivered) }
        if let ending { allowance = min(allowance, ending.byteCount - delivered) }
        return max(0, allowance)
    }
}
