// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("Client.data", .hangLimit)
struct DataTests {
    @Test func `gives body and response of a URL`() async throws {
        let scene = ClientScene { .response(body: "You asked for \($0.target)") }
        let url = try #require(URL(string: "http://test/a?b=c"))
        let (data, response) = try await scene.client.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "You asked for /a?b=c")
        #expect(response.statusCode == 200)
        #expect(response.url == url)
    }

    @Test func `gives the body of any status`() async throws {
        let scene = ClientScene { _ in .response(.internalServerError, body: "oops") }
        let (data, response) = try await scene.client.data(from: testURL)
        #expect(data == Data("oops".utf8))
        #expect(response.statusCode == 500)
    }

    @Test(arguments: [0, 1, 65_536, 700_000])
    func `a body of any length is whole, announced or not`(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let scene = ClientScene { request in
            request.target == "/known"
                ? .response(bytes: bytes)
                : ScriptedResponse(head: Array("HTTP/1.1 200 OK\r\n\r\n".utf8), body: bytes, ending: .close)
        }
        for path in ["http://test/known", "http://test/unknown"] {
            try await expectEqual(scene.client.data(for: Request(.get, path)).0, bytes)
        }
        #expect(scene.connector.attemptCount == 1)
        // A body that ends with its connection leaves none over HTTP/1.1.
        #expect(scene.connector.openCount == (TestedVersion.isHTTP2 ? 1 : 0))
    }

    /// A server can announce any length at no cost, so the client must not reserve memory for it.
    @Test(arguments: [1 << 40, Int64.max])
    func `memory is made for what comes, not for what is announced`(length: Int64) async {
        var configuration = Client.Configuration()
        configuration.maximumBodyByteCount = .max
        let scene = ClientScene(configuration) { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nlittle", ending: .close)
        }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .truncated(received: 6, expected: length, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an announced body over the limit is refused before it is read`() async {
        var configuration = Client.Configuration()
        configuration.maximumBodyByteCount = 10
        let scene = ClientScene(configuration) { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", ending: .stall)
        }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .bodyTooLarge(limit: 10, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.response?.status == .ok)
        await scene.expectNoExchange()
    }

    @Test func `an unannounced body over the limit is refused when it gets there`() async {
        var configuration = Client.Configuration()
        configuration.maximumBodyByteCount = 10
        let scene = ClientScene(configuration) { _ in .chunked(["01234", "56789", "x"], ending: .stall) }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .bodyTooLarge(limit: 10, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a body of exactly the limit is fine`() async throws {
        var configuration = Client.Configuration()
        configuration.maximumBodyByteCount = 10
        let scene = ClientScene(configuration) { request in
            request.target == "/" ? .response(body: "0123456789") : .chunked(["01234", "56789"])
        }
        #expect(try await scene.client.data(from: testURL).0.count == 10)
        #expect(try await scene.client.data(for: Request(.get, "http://test/chunked")).0.count == 10)
    }

    @Test func `a request's limit replaces the client's`() async throws {
        let scene = ClientScene { _ in .response(body: "0123456789") }
        var request = Request(.get, "http://test/")
        request.options.maximumBodyByteCount = 9
        let small = request
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: small) }
        guard case .bodyTooLarge(limit: 9, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `cancellation ends the call and closes the connection`() async throws {
        let scene = ClientScene { _ in halfResponse }
        let calling = Task { try await scene.client.data(from: testURL) }
        try await scene.server.waitForRequests(1)
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.isCancellation == true)
        try await scene.waitForNoExchange()
        if !TestedVersion.isHTTP2 { try await scene.connector.waitForServers() }  // HTTP/2 ends only the stream
    }

    @Test func `an error knows origin, time and response`() async {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .close) }
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        #expect(error?.context.origin == "http://test:80")
        #expect(error?.context.attempt == 1)
        #expect(error?.status == .ok)
        guard case .truncated(received: 4, expected: 9, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `many calls at once share few connections`() async throws {
        var configuration = Client.Configuration()
        configuration.pool.maximumConnectionsPerHost = 3
        let scene = ClientScene(configuration) { .response(body: $0.target) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let (data, _) = try await scene.client.data(for: Request(.get, "http://test/\(number)"))
                    return data == Data("/\(number)".utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(scene.connector.attemptCount <= 3)
        // A connection that no call needed any more may still be opening.
        try await eventually("every connection is open") { scene.connector.openCount == scene.connector.attemptCount }
    }

    @Test(arguments: [
        ("ftp://test/", RequestFailure.unsupportedScheme("ftp")), ("http:///path", .missingHost),
        ("path", .relativeURL),
        ("http://test:99999/", .malformedPort), ("not a url \u{0}", .relativeURL),
    ])
    func `an invalid URL is refused before anything is done`(url: String, reason: RequestFailure) async {
        let scene = ClientScene { _ in .response() }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, url))
        }
        guard case .invalidRequest(let given, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(given == reason)
        #expect(context.phase == .prepare)
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a line break in a field is refused`() async {
        let scene = ClientScene { _ in .response() }
        for value in ["a\r\nX: y", "a\nb", "a\u{0}b"] {
            let request = Request(.get, "http://test/").header(.accept, value)
            let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
            guard case .invalidRequest(.malformedFieldValue, _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(scene.connector.attemptCount == 0)
    }
}
