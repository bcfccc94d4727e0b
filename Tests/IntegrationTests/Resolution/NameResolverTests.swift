// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import Synchronization
import Tern
import TernConnections
@testable import TernNIO
import TernTesting
import TestSupport
import Testing

@Suite("NameResolver", .hangLimit)
struct NameResolverTests {
    private let gate = LookUpGate()
    private let clock = ManualClock()
    private let resolver: NameResolver

    init() {
        // No look-up counts as one that lasts long, because the resolver has a clock of its own, which stands still.
        self.resolver = NameResolver(threadCount: 2, clock: ManualClock()) { [gate] in gate.lookUp($0) }
    }

    /// Starts to look a name up.
    ///
    /// The result is the first address or the error.
    private func begin(_ host: String, _ deadline: CallDeadline? = nil) -> Task<Result<String?, ConnectionError>, Never>
    {
        Task {
            do throws(ConnectionError) {
                let addresses = try await self.resolver.addresses(of: host, until: deadline, on: self.clock)
                return .success(addresses.first?.ipAddress)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Blocks all threads for look-ups.
    private func blockAll() async -> [Task<Result<String?, ConnectionError>, Never>] {
        let calls = [self.begin("silent-1"), self.begin("silent-2")]
        await self.gate.waitForBegun(2)
        return calls
    }

    @Test func `no more names are looked up at once than there are threads`() async {
        let blocked = await self.blockAll()
        let queued = (0..<20).map { self.begin("name-\($0)") }
        await expectEventually("20 names are queued") { self.resolver.counts.queued == 20 }
        #expect(self.gate.names.count == 2)
        self.gate.open()
        for call in blocked + queued { #expect(await call.value == .success("127.0.0.1")) }
        #expect(Set(self.gate.names).count == 22)
        #expect(self.resolver.counts == (waiting: 0, queued: 0))
    }

    @Test func `calls that want one name share its look-up`() async {
        let calls = (0..<20).map { _ in self.begin("name") }
        await expectEventually("20 calls wait") { self.resolver.counts.waiting == 20 }
        self.gate.open()
        for call in calls { #expect(await call.value == .success("127.0.0.1")) }
        #expect(self.gate.names == ["name"])
    }

    @Test func `a call that is cancelled ends at once, and what only it wanted is never looked up`() async {
        let blocked = await self.blockAll()
        let queued = self.begin("queued")
        await expectEventually("one name is queued") { self.resolver.counts.queued == 1 }
        queued.cancel()
        #expect(await queued.value == .failure(.cancelled))
        for call in blocked {
            call.cancel()
            #expect(await call.value == .failure(.cancelled))
        }
        #expect(self.resolver.counts == (waiting: 0, queued: 0))
        let last = self.begin("last")
        await expectEventually("one name is queued") { self.resolver.counts.queued == 1 }
        self.gate.open()
        #expect(await last.value == .success("127.0.0.1"))
        #expect(Set(self.gate.names) == ["silent-1", "silent-2", "last"])
    }

    @Test func `a limit of time ends a call though all threads are blocked`() async {
        let blocked = await self.blockAll()
        let deadline = CallDeadline(.connect, limit: .seconds(10), from: self.clock.now)
        let calls = [self.begin("queued", deadline), self.begin("silent-1", deadline)]
        await expectEventually("4 calls wait") { self.resolver.counts.waiting == 4 }
        await expectEventually("their limits are armed") { self.clock.scheduledCount == 2 }
        self.clock.advance(by: .seconds(10))
        for call in calls { #expect(await call.value == .failure(.timedOut(deadline))) }
        #expect(self.resolver.counts == (waiting: 2, queued: 0))
        self.gate.open()
        for call in blocked { #expect(await call.value == .success("127.0.0.1")) }
    }

    @Test func `a call that was cancelled before begins no look-up`() async {
        let cancelled = Task { () async -> ConnectionError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(ConnectionError) {
                _ = try await self.resolver.addresses(of: "name", until: nil, on: self.clock)
                return nil
            } catch {
                return error
            }
        }
        #expect(await cancelled.value == .cancelled)
        #expect(!self.gate.names.contains("name"))
        self.gate.open()
    }

    @Test func `a failure is told to all that wait, and the next call asks again`() async {
        let failure = ConnectionError.notConnected(.resolution(isTemporary: true))
        let count = Atomic(0)
        let resolver = NameResolver(threadCount: 1) { _ in
            count.add(1, ordering: .relaxed)
            return .failure(failure)
        }
        for _ in 0..<2 {
            await #expect(throws: failure) { try await resolver.addresses(of: "name", until: nil, on: self.clock) }
        }
        #expect(count.load(ordering: .relaxed) == 2)
    }

    @Test func `what the system says of a look-up that failed`() {
        #expect(ConnectionFailure(lookUp: EAI_NONAME, errno: 0) == .resolution(isTemporary: false))
        #expect(ConnectionFailure(lookUp: EAI_AGAIN, errno: EAGAIN) == .resolution(isTemporary: true))
        #expect(ConnectionFailure(lookUp: EAI_NONAME, errno: EMFILE) == .tooManyOpenFiles)
        #expect(ConnectionFailure(lookUp: EAI_SYSTEM, errno: EMFILE) == .tooManyOpenFiles)
        #expect(ConnectionFailure(lookUp: EAI_SYSTEM, errno: ENFILE) == .tooManyOpenFiles)
        #expect(ConnectionFailure(lookUp: EAI_SYSTEM, errno: EIO) == .system(errno: EIO))
        #expect(ConnectionFailure(lookUp: EAI_MEMORY, errno: 0) == .system(errno: ENOMEM))
    }
}
