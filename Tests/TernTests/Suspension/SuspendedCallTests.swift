// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

/// Tests a client that does nothing for an hour, as in an app that the system suspends, while its server goes on.
@Suite("Calls of an app that was suspended", .hangLimit)
struct SuspendedCallTests {
    typealias Scene = SuspensionScene

    // MARK: Idle connections

    @Test(arguments: Scene.Version.allCases, Scene.Awakening.allCases)
    func `the next call replaces a connection that the server ended`(
        version: Scene.Version,
        awakening: Scene.Awakening
    ) async throws {
        let scene = Scene(version) { try await $0.respond("\($0.connection)") }
        #expect(try await scene.get() == "1")
        scene.suspend(awakening)
        try await scene.connector.waitForOpen(0)
        scene.passTimers(awakening)
        #expect(try await scene.get() == "2")
    }

    /// No end arrives from a server that a router has cut off.
    ///
    /// A request on such a connection would wait for its time limit.
    @Test(arguments: Scene.Version.allCases)
    func `the next call uses no connection that slept longer than it may be idle`(version: Scene.Version) async throws {
        let scene = Scene(version) { try await $0.respond("\($0.connection)") }
        #expect(try await scene.get() == "1")
        scene.clock.sleep(for: .seconds(59))
        #expect(try await scene.get() == "1")
        scene.clock.sleep(for: .seconds(60))
        #expect(try await scene.get() == "2")
        try await scene.connector.waitForOpen(1)
        // The late timer finds that its work is done.
        scene.clock.advance(by: .seconds(59))
        #expect(try await scene.get() == "2")
        scene.clock.advance(by: .seconds(60))
        try await scene.connector.waitForOpen(0)
    }

    @Test(arguments: Scene.Version.allCases)
    func `a request goes out again if the end of its connection comes after it`(version: Scene.Version) async throws {
        let ended = Observed<SuspensionScene.Line?>(nil)
        let scene = Scene(version) { arrival in
            if arrival.number == 1 { return try await arrival.respond("\(arrival.connection)") }
            ended.value?.reset()
        }
        ended.update { $0 = scene.line }
        #expect(try await scene.get() == "1")
        scene.clock.sleep(for: .seconds(30))
        #expect(try await scene.get() == "2")
    }

    // MARK: Responses

    @Test(arguments: Scene.Version.allCases, Scene.Awakening.allCases)
    func `a body that was being read fails, and the next call succeeds`(
        version: Scene.Version,
        awakening: Scene.Awakening
    ) async throws {
        let scene = Scene(version) { arrival in
            if arrival.connection > 1 { return try await arrival.respond("whole") }
            try await arrival.begin("half", 9)
        }
        let pieces = Journal<String>()
        let reading = scene.read(noting: pieces)
        #expect(await pieces.wait(for: 1) == ["half"])
        try await scene.clock.waitForScheduled(in: .seconds(60))
        scene.suspend(awakening)
        let fault = await reading.value?.fault
        let isTimedOut = awakening == .timersFirst
        #expect(fault == (isTimedOut ? .timedOut(.idle) : .truncated(received: 4, expected: 9)))
        scene.passTimers(awakening)
        #expect(try await scene.get() == "whole")
    }

    /// The limits pass during the sleep, but their timers are late.
    @Test(arguments: Scene.Version.allCases, [Timeouts(), Timeouts(idle: nil, call: .seconds(60))])
    func `a body continues after a sleep if its connection has lasted`(
        version: Scene.Version,
        timeouts: Timeouts
    ) async throws {
        let mayEnd = Flag()
        let scene = Scene(version, timeouts: timeouts) { arrival in
            try await arrival.begin("half", 9)
            await mayEnd.wait()
            try await arrival.end("-rest")
        }
        let pieces = Journal<String>()
        let reading = scene.read(noting: pieces)
        #expect(await pieces.wait(for: 1) == ["half"])
        try await scene.clock.waitForScheduled(in: .seconds(60))
        scene.clock.sleep(for: Scene.pause)
        mayEnd.raise()
        #expect(await reading.value == nil)
        #expect(pieces.all == ["half", "-rest"])
    }

    // MARK: Uploads and downloads

    @Test(arguments: Scene.Version.allCases, Scene.Awakening.allCases)
    func `an upload that was being sent fails`(version: Scene.Version, awakening: Scene.Awakening) async throws {
        let arrivals = Journal<Int>()
        let scene = Scene(version) { arrival in
            arrivals.note(arrival.connection)
            await Suspension<Void>().wait(onCancel: ())  // reads nothing more
        }
        let calling = Task {
            await failure { () async throws(ClientError) in
                var request = Request(.post, "http://test/")
                request.options.expectsContinue = false
                return try await scene.client.upload(for: request, from: Data(count: 4 << 20))
            }
        }
        _ = await arrivals.wait(for: 1)
        try await scene.clock.waitForScheduled(in: .seconds(60))
        scene.suspend(awakening)
        let fault = try #require(await calling.value?.fault)
        // The timer wakes the task that sends, and the reset the task that waits for the response. Either may be first.
        #expect(fault == .connectionLost(.reset) || awakening == .timersFirst && fault == .timedOut(.idle))
        scene.passTimers(awakening)
        #expect(scene.connector.attemptCount == 1)
        try await scene.connector.waitForOpen(0)
    }

    @Test(arguments: Scene.Awakening.allCases)
    func `a durable download continues behind the last byte that it has`(awakening: Scene.Awakening) async throws {
        let folder = try TemporaryFolder()
        let resource = RangeServer(RangeServer.content(1_000_000))
        let server = ScriptedServer { request in
            let conduct: Conduct = request.number == 1 ? .stall(afterBodyByteCount: 600_000) : .honest
            return conduct.answer(resource, request)
        }
        let scene = Scene { await server.serve($0) }
        let delegate = RecordingDelegate()
        let destination = folder.file("file")
        let calling = Task {
            try await scene.client.download(
                for: Request(.get, "http://test/"),
                to: destination,
                resuming: .immediate,
                delegate: delegate
            )
        }
        try await delegate.waitForEvents(1)
        try await scene.clock.waitForScheduled(in: .seconds(60))
        scene.suspend(awakening)
        let result = try await calling.value
        #expect(result.byteCount == 1_000_000)
        let ranges = server.requests.map { $0.fields[.range] ?? "none" }
        #expect(ranges.count == 2)
        #expect(ranges.first == "none")
        #expect(ranges.last?.hasPrefix("bytes=") == true && ranges.last != "bytes=0-")
        #expect(try Data(contentsOf: destination) == Data(resource.content))
    }
}
