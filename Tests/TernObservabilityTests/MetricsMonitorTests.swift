// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import MetricsTestKit
import Tern
import TernObservability
import TernTesting
import TestSupport
import Testing

@Suite(.hangLimit)
struct MetricsMonitorTests {
    private let metrics = TestMetrics()

    private func scene(
        maximumHostCount: Int = 64,
        answer: @escaping ScriptedServer.Answer
    ) -> ObservedScene {
        let monitor = MetricsMonitor(factory: self.metrics, maximumHostCount: maximumHostCount)
        return ObservedScene({ $0.monitors = [monitor] }, answer: answer)
    }

    private func get(_ host: String, status: String = "200", method: String = "GET") -> [(String, String)] {
        [
            ("http.request.method", method), ("server.address", host), ("http.response.status_code", status),
        ]
    }

    @Test func `a request is timed and counted`() async throws {
        let scene = self.scene { _ in .response(body: "hello") }
        _ = try await scene.client.data(for: Request(.get, "http://test/"))
        let timer = try self.metrics.expectTimer("http.client.request.duration", self.get("test"))
        #expect(timer.values.count == 1)
        let size = try self.metrics.expectRecorder("http.client.response.body.size", self.get("test"))
        #expect(size.values == [5])
        let connecting = try self.metrics.expectTimer(
            "tern.http.client.connection.create_time",
            [("server.address", "test")]
        )
        #expect(connecting.values.count == 1)
    }

    @Test func `a redirect is counted as a request more`() async throws {
        let scene = self.scene { request in
            request.target == "/" ? .response(.found, fields: [.location: "/there"]) : .response(body: "x")
        }
        _ = try await scene.client.data(for: Request(.get, "http://test/"))
        let counter = try self.metrics.expectCounter(
            "tern.http.client.request.resends",
            [("http.request.method", "GET"), ("server.address", "test"), ("tern.reason", "redirect")]
        )
        #expect(counter.totalValue == 1)
    }

    @Test func `a failure is told apart by its kind`() async throws {
        let scene = self.scene { _ in .close }
        _ = try? await scene.client.data(for: Request(.get, "http://test/"))
        let dimensions = [
            ("http.request.method", "GET"), ("server.address", "test"), ("error.type", "connectionLost"),
        ]
        let timer = try self.metrics.expectTimer("http.client.request.duration", dimensions)
        #expect(timer.values.count == 1)
    }

    @Test func `a body that fails is told apart from one that comes`() async throws {
        let scene = self.scene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .close) }
        _ = try? await scene.client.data(for: Request(.get, "http://test/"))
        let dimensions = self.get("test") + [("error.type", "truncated")]
        let timer = try self.metrics.expectTimer("http.client.request.duration", dimensions)
        #expect(timer.values.count == 1)
    }

    @Test func `no server and no caller makes any number of series`() async throws {
        let scene = self.scene(maximumHostCount: 2) { _ in .raw("HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n") }
        for number in 0..<10 {
            let method = try #require(HTTPRequest.Method(rawValue: "ODD\(number)"))
            _ = try await scene.client.data(for: Request(method, "http://host\(number)/"))
        }
        let hosts = Set(self.metrics.timers(label: "http.client.request.duration").map { "\($0.dimensions)" })
        #expect(hosts.count == 3)
        let other = try self.metrics.expectTimer(
            "http.client.request.duration",
            self.get("_OTHER", status: "_OTHER", method: "_OTHER")
        )
        #expect(other.values.count == 8)
    }
}
