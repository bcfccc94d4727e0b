// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import TernConnections
import TernErrors
import TestSupport
import Testing

@testable import TernNIO

/// Tests that look-ups without an answer do not stop the others.
@Suite("Look-ups that last long", .hangLimit)
struct SlowLookUpTests {
    private let clock = SteppedClock()
    private let end = DispatchSemaphore(value: 0)

    private func resolver() -> NameResolver {
        NameResolver(threadCount: 2, clock: self.clock) { [end] host in
            if host.hasPrefix("silent") { end.wait() }
            return Result { [try SocketAddress(ipAddress: "127.0.0.1", port: 0)] }
                .mapError { _ in .notConnected(.interrupted) }
        }
    }

    private func begin(_ host: String, _ resolver: NameResolver) -> Task<String?, any Error> {
        Task { try await resolver.addresses(of: host, until: nil, on: self.clock).first?.ipAddress }
    }

    @Test func `a name is looked up although every thread has waited for a second`() async throws {
        let resolver = self.resolver()
        let silent = (1...2).map { self.begin("silent-\($0)", resolver) }
        await expectEventually("both threads are busy") { resolver.counts == (waiting: 2, queued: 0) }
        let good = self.begin("good", resolver)
        await expectEventually("the timer is set") { self.clock.timerCount == 1 }
        #expect(resolver.counts == (waiting: 3, queued: 1))
        self.clock.advance(by: .seconds(1))
        #expect(try await good.value == "127.0.0.1")
        // Now also the next one.
        #expect(try await self.begin("better", resolver).value == "127.0.0.1")
        for _ in silent { self.end.signal() }
        for call in silent { #expect(try await call.value == "127.0.0.1") }
        #expect(resolver.counts == (waiting: 0, queued: 0))
    }

    @Test func `the process has 16 threads for look-ups, and 128 with small stacks if look-ups last long`() {
        #expect(NameResolver.threadCount == 16 && NameResolver.maximumThreadCount == 128)
        #expect(NameResolver.stackByteCount == 512 << 10)
    }
}
