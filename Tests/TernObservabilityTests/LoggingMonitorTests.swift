// SPDX-License-Identifier: Apache-2.0
import InMemoryLogging
import Logging
import Tern
import TernObservability
import TernTesting
import TestSupport
import Testing

@Suite(.hangLimit)
struct LoggingMonitorTests {
    private let handler: InMemoryLogHandler
    private let logger: Logger

    init() {
        let handler = InMemoryLogHandler()
        self.handler = handler
        self.logger = Logger(label: "test") { _ in handler }
    }

    private func scene(
        _ level: Logger.Level = .info,
        answer: @escaping ScriptedServer.Answer
    ) -> ObservedScene {
        var logger = self.logger
        logger.logLevel = level
        return ObservedScene({ $0.monitors = [LoggingMonitor(logger)] }, answer: answer)
    }

    @Test func `a call is a line that tells method, place and status`() async throws {
        let scene = self.scene { _ in .response(body: "hello") }
        _ = try await scene.client.data(for: secretRequest)
        let entry = try #require(self.handler.entries.first)
        #expect(self.handler.entries.count == 1)
        #expect(entry.level == .info)
        #expect("\(entry.message)".hasPrefix("GET http://test/photos: 200, "))
        #expect(entry.metadata["status"] == "200")
        #expect(entry.metadata["bytes"] == "5")
        #expect(entry.metadata["error"] == nil)
    }

    @Test func `no secret is written down, at any level`() async throws {
        let scene = self.scene(.trace) { _ in
            .response(.found, fields: [.location: "http://test/photos?token=sesame"])
        }
        _ = try? await scene.client.data(for: secretRequest)
        let text = self.handler.entries.map { "\($0.message) \($0.metadata)" }.joined()
        #expect(text.contains("/photos"))
        for secret in secrets { #expect(!text.contains(secret)) }
    }

    @Test func `method and place are those of one request`() async throws {
        let scene = self.scene { request in
            request.target == "/" ? .response(.seeOther, fields: [.location: "/there"]) : .response(body: "x")
        }
        _ = try await scene.client.data(for: Request(.post, "http://test/"))
        let entry = try #require(self.handler.entries.last)
        #expect("\(entry.message)".hasPrefix("GET http://test/there: 200, "))
        #expect(entry.metadata["method"] == "GET")
    }

    @Test func `a failure is an error`() async throws {
        let scene = self.scene { _ in .close }
        _ = try? await scene.client.data(for: secretRequest)
        let entry = try #require(self.handler.entries.last)
        #expect(entry.level == .error)
        #expect(entry.metadata["error"] == "connectionLost")
        #expect(entry.metadata["phase"] == "head")
        #expect(entry.metadata["status"] == nil)
    }

    @Test func `a line of a failure says the place, the status and the time once`() async throws {
        let scene = self.scene { _ in .response(.serviceUnavailable) }
        _ = try? await scene.client.send(Request(.get, "http://test/"))
        let entry = try #require(self.handler.entries.last)
        let line = "\(entry.message)"
        for part in ["503", "test", " ms"] { #expect(line.split(separator: part).count <= 2, "\(line)") }
        #expect(line.contains("503"))
        #expect(entry.metadata["status"] == "503")
        #expect(entry.metadata["error"] == "validationFailed")
    }

    @Test func `a line of another failure has the status, too`() async throws {
        let scene = self.scene { _ in .response(body: "no number") }
        _ = try? await scene.client.value(for: Request(.get, "http://test/"), as: Int.self)
        let line = "\(try #require(self.handler.entries.last).message)"
        #expect(line.split(separator: "200").count == 2, "\(line)")
    }

    @Test func `transactions are traces`() async throws {
        let scene = self.scene(.trace) { request in
            request.target == "/" ? .response(.found, fields: [.location: "/there"]) : .response(body: "x")
        }
        _ = try await scene.client.data(for: Request(.get, "http://test/"))
        #expect(self.handler.entries.map(\.level) == [.trace, .trace, .info])
        #expect(self.handler.entries.map { $0.metadata["status"] } == ["302", "200", "200"])
        #expect(self.handler.entries.map { $0.metadata["reason"] } == ["initial", "redirect", nil])
        #expect(self.handler.entries.map { $0.metadata["url"] }.first == "http://test/")
    }
}
