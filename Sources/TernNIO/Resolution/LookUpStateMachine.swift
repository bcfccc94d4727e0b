// SPDX-License-Identifier: Apache-2.0

/// Tracks which host names are being looked up, which names wait for a thread, and which calls wait for a name.
///
/// Each event returns the actions to perform. A look-up blocks its thread until the system has an answer, and cannot be
/// interrupted. So there are few threads, and calls for the same name share one look-up. If no call waits for a name
/// any longer, a look-up that has not begun is dropped.
struct LookUpStateMachine: Sendable {
    /// A call that waits for the addresses of a name.
    struct Waiter: Hashable, Sendable {
        fileprivate var name: String
        fileprivate var number: Int
    }

    private struct LookUp {
        /// A number that distinguishes this look-up from an earlier one for the same name.
        var number: Int
        var isRunning = false
        /// The numbers of the waiting calls.
        ///
        /// Only a running look-up may be without waiting calls.
        var waiters: Set<Int>
    }

    private struct Turn {
        var name: String
        var number: Int
    }

    /// The number of entries without waiting calls that may stay even in a short queue.
    private static let toleratedTurnCount = 32

    private var lookUps: [String: LookUp] = [:]
    /// The names that wait for a thread, oldest first.
    ///
    /// Entries that no call waits for stay in the queue until their turn comes, or until ``sweep()`` removes them.
    private var queue: [Turn] = []
    private var lastNumber = 0
    private(set) var runningCount = 0
    private let threadCount: Int

    /// Creates a state machine without look-ups.
    ///
    /// - Parameter threadCount: The maximum number of threads. Values below 1 count as 1.
    init(threadCount: Int) { self.threadCount = max(1, threadCount) }

    /// The number of waiting calls, and the number of names that wait for a thread.
    var counts: (waiting: Int, queued: Int) {
        (self.lookUps.values.reduce(0) { $0 + $1.waiters.count }, self.lookUps.count - self.runningCount)
    }

    /// The number of entries in the queue, including entries that no call waits for.
    var turnCount: Int { self.queue.count }

    /// Handles a call that asks for the addresses of a name.
    ///
    /// - Returns: The waiter for the call, and whether to start a thread that looks up the name.
    mutating func requested(_ name: String) -> (waiter: Waiter, startsThread: Bool) {
        let waiter = Waiter(name: name, number: self.nextNumber())
        if self.lookUps[name] != nil {
            self.lookUps[name]?.waiters.insert(waiter.number)
            return (waiter, false)
        }
        var lookUp = LookUp(number: self.nextNumber(), waiters: [waiter.number])
        lookUp.isRunning = self.runningCount < self.threadCount
        self.lookUps[name] = lookUp
        if lookUp.isRunning {
            self.runningCount += 1
        } else {
            self.queue.append(Turn(name: name, number: lookUp.number))
        }
        return (waiter, lookUp.isRunning)
    }

    /// Handles a call that no longer waits, because it was cancelled or its deadline has passed.
    mutating func abandoned(_ waiter: Waiter) {
        guard var lookUp = self.lookUps.removeValue(forKey: waiter.name) else { return }
        lookUp.waiters.remove(waiter.number)
        if lookUp.isRunning || !lookUp.waiters.isEmpty {
            self.lookUps[waiter.name] = lookUp
        } else {
            self.sweep()
        }
    }

    /// Handles the end of a look-up, or the failure to start a thread for the look-up.
    ///
    /// - Returns: The waiters for the name, and the next name to look up; `nil` if no name waits for a thread.
    mutating func finished(_ name: String) -> (waiters: [Waiter], next: String?) {
        let numbers = self.lookUps.removeValue(forKey: name)?.waiters ?? []
        let waiters = numbers.map { Waiter(name: name, number: $0) }
        while let turn = self.queue.first {
            self.queue.removeFirst()
            guard self.isDue(turn) else { continue }
            self.lookUps[turn.name]?.isRunning = true
            return (waiters, turn.name)
        }
        self.runningCount -= 1
        return (waiters, nil)
    }

    /// Returns whether a name in the queue still waits for a thread.
    private func isDue(_ turn: Turn) -> Bool {
        guard let lookUp = self.lookUps[turn.name] else { return false }
        return lookUp.number == turn.number && !lookUp.isRunning
    }

    /// Removes entries that no call waits for, once they make up most of a long queue.
    ///
    /// So the length of the queue stays in proportion to the number of waiting calls.
    private mutating func sweep() {
        let dueCount = self.lookUps.count - self.runningCount
        guard self.queue.count > 2 * dueCount + Self.toleratedTurnCount else { return }
        self.queue = self.queue.filter(self.isDue)
    }

    private mutating func nextNumber() -> Int {
        self.lastNumber += 1
        return self.lastNumber
    }
}
