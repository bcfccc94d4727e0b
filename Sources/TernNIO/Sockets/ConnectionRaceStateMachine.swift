// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Decides which addresses of a host to try, and when (Happy Eyeballs, RFC 8305).
///
/// This is the logic of ``ConnectionRace``, without sockets and timers.
struct ConnectionRaceStateMachine: Sendable {
    /// The effects to perform after an event.
    struct Effects: Equatable {
        /// Begin to connect to the address with this index.
        var attempt: Int?
        /// Replace the timer: call ``ConnectionRaceStateMachine/delayPassed()`` after
        /// ``ConnectionRaceStateMachine/delay``.
        var armsTimer = false
        /// Close the attempts for these addresses.
        var abandons: [Int] = []
        /// Report the failure of the race.
        var failure: ConnectionFailure?
    }

    /// The time after which the next address is tried, too.
    ///
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

    /// Whether the attempt for an address is wanted, and has not ended.
    func isRunning(_ index: Int) -> Bool { self.running.contains(index) }

    /// Begins with the first address.
    mutating func begin() -> Effects { self.attemptNext() }

    /// Handles the end of the delay after the latest attempt.
    mutating func delayPassed() -> Effects { self.isOver ? Effects() : self.attemptNext() }

    /// Handles the failure of an attempt.
    mutating func failed(_ index: Int, _ failure: ConnectionFailure) -> Effects {
        guard self.running.remove(index) != nil else { return Effects() }
        self.failures.append(failure)
        let effects = self.attemptNext()
        guard effects.attempt == nil, self.running.isEmpty else { return effects }
        self.isOver = true
        return Effects(failure: .mostInformative(of: self.failures))
    }

    /// Handles the success of an attempt.
    ///
    /// - Returns: The effects; `nil` if the race is over, so that this connection must be closed.
    mutating func connected(_ index: Int) -> Effects? {
        guard self.running.remove(index) != nil else { return nil }
        return self.end()
    }

    /// Handles the caller's loss of interest.
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
