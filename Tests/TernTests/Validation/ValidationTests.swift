// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Validation", .hangLimit)
struct ValidationTests {
    private static let request = Request(url: testURL)

    private func client(_ rules: [ValidationRule]?, kept: Int = 64 << 10) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.validation = rules
        configuration.maximumErrorBodyByteCount = kept
        return configuration
    }

    private func refusal(_ scene: ClientScene, _ request: Request = Self.request) async -> ValidationFailure? {
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
        guard case .validationFailed(let failure, let context)? = error else { return nil }
        #expect(context.phase == .validate)
        #expect(error?.status != nil)
        return failure
    }

    @Test func `every response is accepted by default`() async throws {
        let scene = ClientScene { _ in .response(.notFound, body: "no") }
        #expect(try await scene.client.data(from: testURL).1.statusCode == 404)
    }

    @Test func `a response that is accepted is given as it is, and its connection is used again`() async throws {
        let scene = ClientScene(self.client([.success, .requiredField(.contentLength), .length(0...10)])) {
            .response(body: $0.target)
        }
        for _ in 0..<2 { #expect(try await scene.client.data(from: testURL).0 == Data("/".utf8)) }
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `a response that is not keeps its head and its body`() async throws {
        let scene = ClientScene(self.client([.success])) { _ in .response(.notFound, body: #"{"message":"gone"}"#) }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        struct ServiceError: Decodable { var message: String }
        #expect(error?.decoded(as: ServiceError.self)?.message == "gone")
        #expect(error?.status == .notFound)
        #expect(error?.context.response?.headerFields[.contentLength] == "18")
        #expect(error.map { "\($0)" }?.contains("gone") == false)
        #expect(scene.connector.openCount == 1)  // the body was read to its end
    }

    @Test(.http1Only("an Upgrade goes over HTTP/1.1"))
    func `an Upgrade that is not followed does not exempt`() async {
        let scene = ClientScene(self.client([.success])) { _ in .response(.notFound) }
        let failure = await self.refusal(scene, Self.request.header(.upgrade, "h2c").header(.connection, "upgrade"))
        #expect(failure?.rule == .status(404))
    }

    @Test func `a request's rules replace the client's`() async throws {
        let scene = ClientScene(self.client([.success])) { _ in .response(.notFound) }
        #expect(try await scene.client.data(for: Self.request.validate(.status([404]))).1.statusCode == 404)
        var free = Self.request
        free.options.validation = []
        #expect(try await scene.client.data(for: free).1.statusCode == 404)
        let refusal = await self.refusal(scene, Self.request.validate())
        #expect(refusal?.rule == .status(404))
    }

    @Test func `without rules, success and what was asked for is wanted`() async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")
        }
        let refusal = await self.refusal(scene, Self.request.header(.accept, "application/json").validate())
        #expect(refusal?.rule == .contentType("text/html"))
        #expect(refusal?.body == Data("hi".utf8))
        // The client sends `Accept: */*` if the request has no `Accept`.
        #expect(try await scene.client.data(for: Self.request.validate()).1.statusCode == 200)
    }

    @Test func `of a long body a part is kept, and its connection is closed`() async throws {
        let scene = ClientScene(self.client([.success], kept: 10)) { _ in
            .raw("HTTP/1.1 500 No\r\nContent-Length: 100000000\r\n\r\n0123456789abcdef", ending: .stall)
        }
        let refusal = await self.refusal(scene)
        #expect(refusal?.body == Data("0123456789".utf8))
        #expect(refusal?.isBodyComplete == false)
        try await scene.waitForNoExchange()
    }

    @Test func `a body that is cut is kept as far as it came`() async {
        let scene = ClientScene(self.client([.success])) { _ in
            .raw("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf", ending: .close)
        }
        let refusal = await self.refusal(scene)
        #expect(refusal?.rule == .status(500))
        #expect(refusal?.body == Data("half".utf8))
        #expect(refusal?.isBodyComplete == false)
    }

    @Test func `a body that does not come is waited for no longer than for any`() async throws {
        let scene = ClientScene(self.client([.success])) { _ in
            .raw("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
        }
        let request = Self.request.timeouts(.patient(idle: .seconds(20)))
        let calling = Task<ValidationFailure?, any Error> { await self.refusal(scene, request) }
        let refusal = try await scene.clock.advance(until: calling).get()
        #expect(refusal?.isBodyComplete == false)
        try await scene.waitForNoExchange()
    }

    @Test func `cancellation is cancellation, though a rule was broken`() async throws {
        let scene = ClientScene(self.client([.success])) { _ in
            .raw("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf", ending: .stall)
        }
        let calling = Task { try await scene.client.data(from: testURL) }
        try await scene.server.waitForRequests(1)
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.isCancellation == true)
        try await scene.waitForNoExchange()
    }

    @Test(
        arguments: [(4...6, nil), (0...4, ValidationFailure.Rule.length(5)), (6...9, .length(5))]
            as [(
                ClosedRange<Int64>, ValidationFailure.Rule?
            )]
    )
    func `a length is checked when it is announced, and while it comes`(
        range: ClosedRange<Int64>,
        expected: ValidationFailure.Rule?
    ) async {
        let scene = ClientScene { request in
            request.target == "/known" ? .response(body: "01234") : .chunked(["01", "234"])
        }
        for path in ["known", "unknown"] {
            let request = Request(.get, "http://test/\(path)").validate(.length(range))
            let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
            var rule: ValidationFailure.Rule?
            if case .validationFailed(let failure, _)? = error { rule = failure.rule }
            #expect(rule == expected)
            #expect((error == nil) == (expected == nil))
        }
    }

    @Test func `a body that becomes too long ends there`() async throws {
        let scene = ClientScene { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n", ending: .stall)
        }
        let request = Self.request.validate(.length(0...7))
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
        guard case .validationFailed(let failure, _)? = error, case .length(let length) = failure.rule else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(length > 7)
        try await scene.waitForNoExchange()
    }

    @Test func `a WebSocket's refusal stays what it is`() async {
        let scene = ClientScene(self.client([.success])) { _ in .response(.forbidden) }
        let error = await failure { () async throws(ClientError) in try await scene.client.webSocket(from: testURL) }
        #expect(error?.fault == .webSocketRefused(.status(403)))
    }

    @Test func `a delegate is told of the refusal`() async {
        final class Listener: TaskDelegate {
            let end = Observed<ClientError?>(nil)
            func task(_ task: TaskInfo, didCompleteWith error: ClientError?) { self.end.update { $0 = error } }
        }
        let listener = Listener()
        let scene = ClientScene(self.client([.success]), delegate: listener) { _ in .response(.notFound) }
        #expect(await self.refusal(scene) != nil)
        guard case .validationFailed? = listener.end.value else {
            Issue.record("\(String(describing: listener.end.value))")
            return
        }
    }
}
