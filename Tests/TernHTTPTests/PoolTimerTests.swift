// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
@testable import TernHTTP
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("The pool's timer", .hangLimit)
struct PoolTimerTests {
    private let base = ManualClock()

    private func pool(_ clock: any TransportClock) -> ConnectionPool {
        let connector = MemoryConnector(clock: self.base) { await $0.waitForEnd() }
        let dialer = Dialer(connector: connector, configuration: HTTPTransportConfiguration())
        return ConnectionPool(HTTPTransportConfiguration(), dialer: dialer, clock: clock)
    }

    private func slot(_ pool: ConnectionPool) async throws -> Slot {
        let request = Request(.get, "http://test/")
        let destination = try request.destination()
        let call = HTTPCall(request, to: destination, timeouts: .none, clock: self.base)
        return try await pool.slot(
            ConnectionTarget(origin: destination.origin),
            for: call,
            isFresh: false,
            goesFirst: false
        )
    }

    @Test func `one that has fired before it is kept does not cancel the next`() async throws {
        let clock = PassingClock(base: self.base)
        let pool = self.pool(clock)
        let (one, two) = (try await self.slot(pool), try await self.slot(pool))
        let base = self.base
        clock.afterScheduling {
            base.advance(by: .seconds(10))
            two.giveBack()
            base.advance(by: .seconds(50))
        }
        one.giveBack()
        #expect(pool.counts == (idle: 1, lent: 0, waiting: 0))
        #expect(base.scheduledDelays == [.seconds(10)])
        base.advance(by: .seconds(10))
        #expect(pool.counts == (idle: 0, lent: 0, waiting: 0))
        #expect(base.scheduledCount == 0)
    }

    @Test func `one that is set while the pool shuts down is not left behind`() async throws {
        let clock = PassingClock(base: self.base)
        let pool = self.pool(clock)
        let slot = try await self.slot(pool)
        clock.afterScheduling { pool.shutDown() }
        slot.giveBack()
        #expect(pool.counts == (idle: 0, lent: 0, waiting: 0))
        #expect(self.base.scheduledCount == 0)
    }
}

/// A clock that runs a closure after a timer is set and before the caller stores it, as if another thread ran then.
private final class PassingClock: TransportClock {
    private let base: ManualClock
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    init(base: ManualClock) { self.base = base }

    var now: ClockInstant { self.base.now }

    func afterScheduling(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    func schedule(at instant: ClockInstant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let scheduled = self.base.schedule(at: instant, action)
        self.action.withLock { $0.take() }?()
        return scheduled
    }
}
