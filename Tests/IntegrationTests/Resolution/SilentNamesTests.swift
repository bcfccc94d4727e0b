// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernConnections
@testable import TernNIO
import TernTesting
import TestSupport
import Testing

/// Tests that a client continues to work while no name server answers, and every thread for look-ups is blocked.
@Suite("Names: servers that do not answer", .hangLimit)
struct SilentNamesTests {
    private let gate = LookUpGate()
    private let client: Client

    init() {
        let gate = self.gate
        // The clock stands still, so that no further thread starts after a second.
        let resolver = NameResolver(threadCount: 2, clock: ManualClock()) { gate.lookUp($0) }
        self.client = Client(configuration: .patient, connector: NIOConnector(clock: SystemClock(), resolver: resolver))
    }

    private func begin(_ host: String, _ timeouts: Timeouts = .none) -> Task<Fault?, Never> {
        Task { [client] in
            await fault { () async throws(ClientError) in
                try await client.data(for: Request(.get, "http://\(host)/").timeouts(timeouts))
            }
        }
    }

    /// Blocks all threads for look-ups, and starts more look-ups than Dispatch has threads.
    private func blockAll() async -> [Task<Fault?, Never>] {
        let calls = (0..<300).map { self.begin("silent-\($0).test") }
        await self.gate.waitForBegun(2)
        return calls
    }

    private func end(_ calls: [Task<Fault?, Never>]) async {
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.value == .cancelled) }
        #expect(self.gate.names.count == 2)
        self.gate.open()
    }

    @Test(arguments: [
        (Timeouts.patient(connect: .milliseconds(50)), Timeout.connect),
        (Timeouts.patient(call: .milliseconds(50)), .call),
    ])
    func `a limit of time ends the call`(_ timeouts: Timeouts, _ expected: Timeout) async {
        let silent = await self.blockAll()
        #expect(await self.begin("another.test", timeouts).value == .timedOut(expected))
        await self.end(silent)
    }

    @Test func `a cancelled call ends`() async {
        let silent = await self.blockAll()
        let call = self.begin("another.test")
        call.cancel()
        #expect(await call.value == .cancelled)
        await self.end(silent)
    }

    @Test func `timers fire`() async {
        let silent = await self.blockAll()
        let clock = SystemClock()
        let fired = Signal()
        let timer = clock.schedule(at: clock.now.advanced(by: .milliseconds(1))) { fired.report() }
        await fired.wait()
        withExtendedLifetime(timer) {}
        await self.end(silent)
    }

    @Test func `a download to a file completes`() async throws {
        let server = try await RawServer.shared
        let folder = try TemporaryFolder()
        let silent = await self.blockAll()
        let request = server.get("/flood").query("bytes", 3_000_000)
        let (file, _) = try await self.client.download(for: request, to: folder.file("file"))
        #expect(try Data(contentsOf: file).count == 3_000_000)
        await self.end(silent)
    }

    @Test func `an upload from a file completes`() async throws {
        let server = try await RawServer.shared
        let folder = try TemporaryFolder()
        let silent = await self.blockAll()
        let path = try folder.write(String(repeating: "x", count: 300_000), to: "file")
        let request = Request(.put, server.url("/upload"))
        let (data, _) = try await self.client.upload(for: request, fromFile: URL(filePath: path))
        #expect(String(decoding: data, as: UTF8.self).hasPrefix("300000 "))
        await self.end(silent)
    }
}
