// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite(.hangLimit)
struct EventMonitorTests {
    private let monitor = RecordingMonitor()

    private func configuration(_ monitors: [any EventMonitor]) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.monitors = monitors
        return configuration
    }

    @Test func `a call is told from its beginning to its end`() async throws {
        let scene = ClientScene(self.configuration([self.monitor])) { _ in .response(body: "hello") }
        _ = try await scene.client.data(from: testURL)
        let opening: [RecordingMonitor.Event] = [
            .callBegan,
            .began(1, .initial),
            .reached("connecting", in: 1),
            .reached("attempting", in: 1),
            .reached("attempted", in: 1),
            .reached("connected", in: 1),
            .reached("begun", in: 1),
        ]
        let stream: [RecordingMonitor.Event] = TestedVersion.isHTTP2 ? [.reached("streamOpened", in: 1)] : []
        #expect(
            self.monitor.events == opening + stream + [
                .reached("headSent", in: 1),
                .reached("firstByte", in: 1),
                .reached("answered", in: 1),
                .reached("finished", in: 1),
                .ended(1, status: 200),
                .callEnded(transactionCount: 1, hasFailed: false),
            ]
        )
    }

    @Test func `a redirect is told, with its reason`() async throws {
        let scene = ClientScene(self.configuration([self.monitor])) { request in
            request.target == "/" ? .response(.found, fields: [.location: "/there"]) : .response(body: "x")
        }
        _ = try await scene.client.data(from: testURL)
        #expect(
            self.monitor.events.filter { !$0.isStep } == [
                .callBegan,
                .began(1, .initial),
                .ended(1, status: 302),
                .willSend(.redirect),
                .began(2, .redirect),
                .ended(2, status: 200),
                .callEnded(transactionCount: 2, hasFailed: false),
            ]
        )
    }

    @Test func `a failure is told once`() async {
        let scene = ClientScene(plan: .refuse(.notConnected(.refused)), self.configuration([self.monitor])) { _ in
            .response()
        }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        #expect(error != nil)
        #expect(
            self.monitor.events == [
                .callBegan,
                .began(1, .initial),
                .reached("connecting", in: 1),
                .reached("attempting", in: 1),
                .reached("attempted", in: 1),
                .ended(1, status: nil),
                .callEnded(transactionCount: 1, hasFailed: true),
            ]
        )
    }

    @Test func `a stale connection makes another transaction`() async throws {
        let scene = ClientScene(self.configuration([self.monitor])) { request in
            request.connection == 1 && request.target == "/second" ? .close : .response(body: "x")
        }
        _ = try await scene.client.data(from: testURL)
        _ = try await scene.client.data(for: Request(.get, "http://test/second"))
        #expect(
            self.monitor.calls.last?.filter { !$0.isStep } == [
                .callBegan,
                .began(1, .initial),
                .ended(1, status: nil),
                .began(2, .repetition),
                .ended(2, status: 200),
                .callEnded(transactionCount: 2, hasFailed: false),
            ]
        )
    }

    @Test func `a refused expectation ends its transaction once`() async throws {
        // After the refusal, the server ends the connection.
        let refusal = ScriptedResponse.response(.expectationFailed, fields: [.connection: "close"])
        let server = ScriptedServer(steps: [.receiveHead, .send(refusal)], [.respond(.response(body: "x"))])
        let scene = ClientScene(server, self.configuration([self.monitor]))
        var request = Request(.put, "http://test/")
        request.options.expectsContinue = true  // over HTTP/2, the client sends no expectation of its own
        _ = try await scene.client.upload(for: request, from: Data("cat".utf8))
        #expect(
            self.monitor.events.filter { !$0.isStep } == [
                .callBegan,
                .began(1, .initial),
                .ended(1, status: 417),
                .began(2, .repetition),
                .ended(2, status: 200),
                .callEnded(transactionCount: 2, hasFailed: false),
            ]
        )
    }

    @Test func `a body that is released ends the call`() async throws {
        let scene = ClientScene(self.configuration([self.monitor])) { _ in halfResponse }
        var reply: HTTPReply? = try await scene.client.reply(for: Request(url: testURL))
        #expect(self.monitor.events.last == .reached("answered", in: 1))
        #expect(reply?.response.statusCode == 200)
        reply = nil
        #expect(
            self.monitor.events.suffix(3) == [
                .reached("finished", in: 1),
                .ended(1, status: 200),
                .callEnded(transactionCount: 1, hasFailed: true),
            ]
        )
    }

    @Test func `a call without a request that can be sent is told, too`() async {
        let scene = ClientScene(self.configuration([self.monitor])) { _ in .response() }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, "gopher://test/"))
        }
        #expect(error != nil)
        #expect(self.monitor.events == [.callBegan, .callEnded(transactionCount: 0, hasFailed: true)])
    }

    @Test func `all monitors are told the same`() async throws {
        let other = RecordingMonitor()
        let scene = ClientScene(self.configuration([self.monitor, other])) { _ in .response(body: "x") }
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try? await scene.client.data(from: testURL) } }
        }
        #expect(self.monitor.calls == other.calls)
        #expect(self.monitor.calls.count == 20)
        #expect(
            self.monitor.calls.allSatisfy { events in
                events.first == .callBegan && events.last == .callEnded(transactionCount: 1, hasFailed: false)
            }
        )
    }

    @Test func `of one call a monitor is told one thing at a time`() async throws {
        final class Guarded: EventMonitor {
            private let busy = Mutex<Set<UInt64>>([])
            private let overlaps = Atomic<Int>(0)

            var overlapCount: Int { self.overlaps.load(ordering: .relaxed) }

            func call(
                _ call: MonitoredCall,
                didReach milestone: ExchangeMilestone,
                in transaction: TransactionMetrics
            ) {
                if !self.busy.withLock({ $0.insert(call.id).inserted }) { self.overlaps.add(1, ordering: .relaxed) }
                for _ in 0..<100 { _ = self.busy.withLock { $0.count } }
                self.busy.withLock { _ = $0.remove(call.id) }
            }
        }
        let guarded = Guarded()
        var configuration = self.configuration([guarded, self.monitor])
        configuration.expectContinueThreshold = nil
        let scene = ClientScene(configuration) { _ in .response(body: "x") }
        let data = Data(repeating: 1, count: 200_000)
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try? await scene.client.upload(for: Request(.put, "http://test/"), from: data) }
            }
        }
        #expect(guarded.overlapCount == 0)
        #expect(self.monitor.calls.count == 20)
        #expect(
            self.monitor.calls.allSatisfy { events in
                events.first == .callBegan && events.last == .callEnded(transactionCount: 1, hasFailed: false)
            }
        )
    }

    @Test func `a monitor that calls the client does not stop it`() async throws {
        final class Nosy: EventMonitor {
            let other = ClientScene { _ in .response() }
            func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics) {
                Task { _ = try? await self.other.client.data(from: testURL) }
            }
        }
        let scene = ClientScene(self.configuration([Nosy(), self.monitor])) { _ in .response(body: "x") }
        let (data, _) = try await scene.client.data(from: testURL)
        #expect(data.count == 1)
        #expect(self.monitor.events.last == .callEnded(transactionCount: 1, hasFailed: false))
    }
}
