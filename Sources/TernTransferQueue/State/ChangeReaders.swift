// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// The readers of a queue's changes, each with the changes that it has not taken yet.
///
/// A reader keeps only *which* transfers have changed, each at most once. Their values are taken when it reads. A
/// transfer that was added and removed before the reader has seen it does not appear. So a reader that never reads needs
/// memory for the transfers that are in the queue, and for those that it has seen, and not for all that ever were.
struct ChangeReaders: Sendable {
    /// The part of the queue that has changed.
    enum Key: Hashable, Sendable {
        /// A transfer, which may have been removed.
        case transfer(TransferID)
        case network
        case queue
    }

    private struct Reader: Sendable {
        /// The transfers that the reader has seen, or that existed before it.
        var known: Set<TransferID>
        /// The pending changes, in order, and others that were taken or forgotten and are skipped.
        private var queue: [Key] = []
        /// The number of keys at the beginning of ``queue`` that were taken.
        private var takenCount = 0
        private(set) var isPending: Set<Key> = []
        /// The reader's wait for the next change; `nil` if it does not wait.
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

    /// Adds a reader.
    ///
    /// - Parameter transfers: The transfers that exist now.
    /// - Returns: The number of the reader.
    mutating func add(knowing transfers: some Sequence<TransferID>) -> UInt64 {
        self.lastNumber += 1
        self.readers[self.lastNumber] = Reader(known: Set(transfers))
        return self.lastNumber
    }

    /// Removes a reader, because its sequence was released.
    mutating func remove(_ number: UInt64) { self.readers[number] = nil }

    /// Records a change for all readers, and wakes those that wait.
    mutating func note(_ key: Key) {
        for number in self.readers.keys { self.readers[number]?.note(key) }
    }

    /// Records for all readers that a transfer was removed.
    mutating func noteRemoval(_ id: TransferID) {
        for number in self.readers.keys {
            if self.readers[number]?.known.contains(id) ?? false {
                self.readers[number]?.note(.transfer(id))
            } else {
                self.readers[number]?.forget(.transfer(id))
            }
        }
    }

    /// Ends all sequences, after the changes that are pending.
    mutating func end() {
        self.hasEnded = true
        for number in self.readers.keys { self.readers[number]?.wake() }
    }

    /// Takes the first pending change of a reader.
    ///
    /// - Parameters:
    ///   - number: The number of the reader.
    ///   - exists: Returns whether a transfer exists.
    /// - Returns: The change; `nil` if none is pending.
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

    /// Returns the wait of a reader for its next change.
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

    /// The number of pending changes of a reader, for tests of its bound.
    func pendingCount(_ number: UInt64) -> Int { self.readers[number]?.isPending.count ?? 0 }
}
