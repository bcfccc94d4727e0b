// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors

/// The pings that were sent and not answered yet.
struct PingLedger: Sendable {
    /// A task's wait for a pong, and when that came.
    typealias Wait = Suspension<Result<ClockInstant, ClientError>>

    private var waits: [(number: UInt64, wait: Wait)] = []
    private var lastNumber: UInt64 = 0

    /// Notes a ping; its number is the payload that the pong must have.
    mutating func add(_ wait: Wait) -> UInt64 {
        self.lastNumber += 1
        self.waits.append((self.lastNumber, wait))
        return self.lastNumber
    }

    /// Forgets a ping whose task waits no more.
    mutating func remove(_ number: UInt64) { self.waits.removeAll { $0.number == number } }

    /// Takes out those that a pong answers: also earlier pings, for a peer may answer only the latest (RFC 6455 §5.5.3).
    mutating func answered(_ number: UInt64) -> [Wait] {
        guard self.waits.contains(where: { $0.number == number }) else { return [] }
        defer { self.waits.removeAll { $0.number <= number } }
        return self.waits.filter { $0.number <= number }.map(\.wait)
    }

    /// Takes out all.
    mutating func removeAll() -> [Wait] {
        defer { self.waits = [] }
        return self.waits.map(\.wait)
    }
}
