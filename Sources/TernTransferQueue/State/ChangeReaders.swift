// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// The changes that each reader has not taken yet: only *which* transfers have changed, each at most once, so that a reader that
/// never reads needs memory only for the transfers in the queue, and for those that it has seen.
struct ChangeReaders: Sendable {
    enum Key: Hashable, Sendable {
        case transfer(TransferID)
        case network
        case queue
    }

    private struct Reader: Sendable {
        var known: Set<TransferID>
        /// The pending changes, in order, and others that were taken or forgotten and are skipped.
        private var queue: [Key] = []
        private var takenCount = 0
        private(set) var isPending: Set<Key> = []
        var wait: Suspension<Bool>?

        mutating func note(_ key: Key) {
            if self.isPending.insert(key).inserted { self.queue.append(key) }
            self.wake()
        }

        init(known: Set<TransferID>) { self.known = known }

        mutating func forget(_ key: Key) {
            if self.isPending.remove(key) != nil { self.compact() }
        }

        mutating func wake() {
            self.wait?.resume(with: true)
            self.wait = nil
        }

        mutating func takeFirst() -> Key? {
            while self.takenCount < self.queue.count {
                let key = self.queue[self.takenCount]
                self.takenCount += 1
                guard self.isPending.remove(key) != nil else { continue }
                self.compact()
                return key
            }
            return nil
        }

        /// Drops what is not pending as soon as it is the larger part, so that a change costs the same for any number.
        private mutating func compact() {
            guard self.queue.count > 2 * self.isPending.count + 16 else { return }
            var seen: Set<Key> = []
            self.queue = self.queue.dropFirst(self.takenCount)
                .filter { self.isPending.contains($0) && seen.insert($0).inserted }
            self.takenCount = 0
        }
    }

    private var readers: [UInt64: Reader] = [:]
    private var lastNumber: UInt64 = 0
    /// Whether the queue was released, so that nothing can change any more.
    private(set) var hasEnded = false

    mutating func add(knowing transfers: some Sequence<TransferID>) -> UInt64 {
        self.lastNumber += 1
        self.readers[self.lastNumber] = Reader(known: Set(transfers))
        return self.lastNumber
    }

    mutating func remove(_ number: UInt64) { self.readers[number] = nil }

    mutating func note(_ key: Key) {
        for number in self.readers.keys { self.readers[number]?.note(key) }
    }

    mutating func noteRemoval(_ id: TransferID) {
        for number in self.readers.keys {
            if self.readers[number]?.known.contains(id) ?? false {
                self.readers[number]?.note(.transfer(id))
            } else {
                self.readers[number]?.forget(.transfer(id))
            }
        }
    }

    mutating func end() {
        self.hasEnded = true
        for number in self.readers.keys { self.readers[number]?.wake() }
    }

    mutating func take(_ number: UInt64, exists: (TransferID) -> Bool) -> Key? {
        guard let key = self.readers[number]?.takeFirst() else { return nil }
        if case .transfer(let id) = key {
            if exists(id) {
                self.readers[number]?.known.insert(id)
            } else {
                self.readers[number]?.known.remove(id)
            }
        }
        return key
    }

    mutating func wait(_ number: UInt64) -> Suspension<Bool> {
        let suspension = Suspension<Bool>()
        if self.hasEnded {
            suspension.resume(with: false)
        } else {
            // A second task that reads the same sequence takes the place of the first, which then reads again.
            self.readers[number]?.wake()
            self.readers[number]?.wait = suspension
        }
        return suspension
    }

    func pendingCount(_ number: UInt64) -> Int { self.readers[number]?.isPending.count ?? 0 }
}
