// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors

/// The pings that this side has sent and the server has not answered yet.
struct PingLedger: Sendable {
    /// A wait for a pong, with the instant at which the pong arrived.
    typealias Wait = Suspension<Result<ClockInstant, ClientError>>

    /// The number in the pings of keep-alive, for which no task waits.
    static let keepAliveNumber: UInt64 = 0

    private var waits: [(number: UInt64, wait: Wait)] = []
    private var lastNumber = Self.keepAliveNumber

    /// Records a ping and returns its number, which is the payload that the pong must repeat.
    mutating func add(_ wait: Wait) -> UInt64 {
        self.lastNumber += 1
        self.waits.append((self.lastNumber, wait))
        return self.lastNumber
    }

    mutating func remove(_ number: UInt64) { self.waits.removeAll { $0.number == number } }

    /// Returns the waits that a pong ends, with those for earlier pings: a peer may answer only the latest (RFC 6455 §5.5.3).
    mutating func answered(_ number: UInt64) -> [Wait] {
        guard self.waits.contains(where: { $0.number == number }) else { return [] }
        defer { self.waits.removeAll { $0.number <= number } }
        return self.waits.filter { $0.number <= number }.map(\.wait)
    }

    mutating func removeAll() -> [Wait] {
        defer { self.waits = [] }
        return self.waits.map(\.wait)
    }
}
