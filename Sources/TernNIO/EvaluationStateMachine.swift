// SPDX-License-Identifier: Apache-2.0

/// Tracks which evaluations of certificates run, and which wait.
///
/// Servers choose their certificates, and so for how long an evaluation keeps a thread of Swift concurrency busy. So only a few
/// evaluations run at the same time, and the hosts take turns.
struct EvaluationStateMachine: Sendable {
    typealias Number = Int

    /// The number of abandoned evaluations that may stay even in a short queue.
    private static let toleratedCount = 32

    /// The evaluations that wait, and some that were abandoned.
    private var queue = RotatingQueue<String, Number>()
    private var waiting: Set<Number> = []
    private var lastNumber = 0
    private(set) var runningCount = 0
    private let maximumCount: Int

    /// Creates a state machine that runs at most this many evaluations, at least one.
    init(maximumCount: Int) { self.maximumCount = max(1, maximumCount) }

    var waitingCount: Int { self.waiting.count }

    /// Handles a handshake that needs an evaluation, and returns whether it begins now.
    mutating func requested(for host: String) -> (number: Number, begins: Bool) {
        self.lastNumber += 1
        guard self.runningCount >= self.maximumCount else {
            self.runningCount += 1
            return (self.lastNumber, true)
        }
        self.waiting.insert(self.lastNumber)
        self.queue.append(self.lastNumber, to: host)
        return (self.lastNumber, false)
    }

    /// Handles a handshake that no longer waits; returns `false` if its evaluation has begun, so that ``ended()`` must follow.
    mutating func abandoned(_ number: Number) -> Bool {
        guard self.waiting.remove(number) != nil else { return false }
        if self.queue.count > 2 * self.waiting.count + Self.toleratedCount {
            let waiting = self.waiting
            self.queue.keep { waiting.contains($0) }
        }
        return true
    }

    /// Handles the end of an evaluation, and returns the one that begins now.
    mutating func ended() -> Number? {
        while let next = self.queue.popFirst(where: { _ in true }) {
            if self.waiting.remove(next) != nil { return next }
        }
        self.runningCount -= 1
        return nil
    }
}
