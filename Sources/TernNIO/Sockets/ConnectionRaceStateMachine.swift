// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Decides which addresses of a host to try, and when (Happy Eyeballs, RFC 8305), as the logic of ``ConnectionRace``.
struct ConnectionRaceStateMachine: Sendable {
    struct Effects: Equatable {
        var attempt: Int?
        /// Call ``ConnectionRaceStateMachine/delayPassed()`` after ``ConnectionRaceStateMachine/delay``; replaces any timer.
        var armsTimer = false
        var abandons: [Int] = []
        var failure: ConnectionFailure?
    }

    /// "One recommended value for a default delay is 250 milliseconds" (RFC 8305 §5).
    static let delay = Duration.milliseconds(250)

    private var next = 0
    private var running: Set<Int> = []
    private var failures: [ConnectionFailure] = []
    /// Whether the race has a result, or the caller has given up.
    private(set) var isOver = false
    private let addressCount: Int

    /// Creates a race between at least one address, the best first.
    init(addressCount: Int) { self.addressCount = addressCount }

    func isRunning(_ index: Int) -> Bool { self.running.contains(index) }

    mutating func begin() -> Effects { self.attemptNext() }

    mutating func delayPassed() -> Effects { self.isOver ? Effects() : self.attemptNext() }

    mutating func failed(_ index: Int, _ failure: ConnectionFailure) -> Effects {
        guard self.running.remove(index) != nil else { return Effects() }
        self.failures.append(failure)
        let effects = self.attemptNext()
        guard effects.attempt == nil, self.running.isEmpty else { return effects }
        self.isOver = true
        return Effects(failure: .mostInformative(of: self.failures))
    }

    /// Handles the success of an attempt; returns `nil` if the race is over, so that this connection must be closed.
    mutating func connected(_ index: Int) -> Effects? {
        guard self.running.remove(index) != nil else { return nil }
        return self.end()
    }

    mutating func gaveUp() -> Effects { self.end() }

    private mutating func end() -> Effects {
        self.isOver = true
        defer { self.running = [] }
        return Effects(abandons: self.running.sorted())
    }

    private mutating func attemptNext() -> Effects {
        guard self.next < self.addressCount else { return Effects() }
        defer { self.next += 1 }
        self.running.insert(self.next)
        return Effects(attempt: self.next, armsTimer: self.next + 1 < self.addressCount)
    }
}
