// SPDX-License-Identifier: Apache-2.0

/// Tracks which evaluations of certificates run, and which wait.
///
/// An evaluation keeps a thread of Swift concurrency busy. The servers choose their certificates, so they decide for how
/// long. A few evaluations run at the same time, and the hosts take turns: many handshakes with servers whose
/// certificates take long do not delay those with other servers by more than one evaluation each.
struct EvaluationStateMachine: Sendable {
    /// The number of an evaluation.
    typealias Number = Int

    /// The number of abandoned evaluations that may stay even in a short queue.
    private static let toleratedCount = 32

    /// The evaluations that wait, and some that were abandoned.
    private var queue = RotatingQueue<String, Number>()
    private var waiting: Set<Number> = []
    private var lastNumber = 0
    private(set) var runningCount = 0
    private let maximumCount: Int

    /// Creates a state machine without evaluations.
    ///
    /// - Parameter maximumCount: The maximum number of evaluations that run. Values below 1 count as 1.
    init(maximumCount: Int) { self.maximumCount = max(1, maximumCount) }

    /// The number of evaluations that wait.
    var waitingCount: Int { self.waiting.count }

    /// Handles a handshake that needs an evaluation.
    ///
    /// - Returns: The number of the evaluation, and whether it begins now.
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

    /// Handles a handshake that no longer waits for its evaluation.
    ///
    /// - Returns: `false` if the evaluation has begun, so that ``ended()`` must follow.
    mutating func abandoned(_ number: Number) -> Bool {
        guard self.waiting.remove(number) != nil else { return false }
        if self.queue.count > 2 * self.waiting.count + Self.toleratedCount {
            let waiting = self.waiting
            self.queue.keep { waiting.contains($0) }
        }
        return true
    }

    /// Handles the end of an evaluation.
    ///
    /// - Returns: The evaluation that begins now; `nil` if none waits.
    mutating func ended() -> Number? {
        while let next = self.queue.popFirst(where: { _ in true }) {
            if self.waiting.remove(next) != nil { return next }
        }
        self.runningCount -= 1
        return nil
    }
}
