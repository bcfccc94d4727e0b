// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Client.value and Client.send", .hangLimit)
struct ValueTests {
    private struct User: Codable, Equatable {
        var name: String
        var joined: Date?
    }
    private struct Nothing: EmptyDecodable, Equatable { static let emptyValue = Nothing() }

    private static func head(_ status: String, _ rest: String = "Content-Length: 0\r\n") -> ScriptedResponse {
        .raw("HTTP/1.1 \(status)\r\n\(rest)\r\n")
    }

    @Test func `a body is decoded`() async throws {
        let scene = ClientScene { _ in .response(body: #"{"name":"Anna"}"#) }
        let user: User = try await scene.client.value(from: testURL)
        #expect(user == User(name: "Anna"))
        #expect(try await scene.client.value(for: Request(url: testURL), as: User?.self) == User(name: "Anna"))
        #expect(scene.server.requests.first?.fields[.accept] == "application/json")
    }

    @Test func `a request's Accept is its own`() async throws {
        let scene = ClientScene { _ in .response(body: "1") }
        let request = Request(url: testURL).header(.accept, "application/vnd.x+json")
        #expect(try await scene.client.value(for: request, as: Int.self) == 1)
        #expect(scene.server.requests.first?.fields[.accept] == "application/vnd.x+json")
    }

    @Test func `decoders are exchangeable, for a client and for a call`() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        var configuration = Client.Configuration()
        configuration.decoder = JSONBodyDecoder(decoder)
        let scene = ClientScene(configuration) { _ in .response(body: #"{"name":"Anna","joined":1}"#) }
        let user: User = try await scene.client.value(from: testURL)
        #expect(user.joined == Date(timeIntervalSince1970: 1))

        struct Upper: BodyDecoder {
            var accept: String? { nil }
            func decode<Value: Decodable>(_: Value.Type, from body: Data, of response: Response) throws -> Value {
                let text = String(decoding: body, as: UTF8.self).uppercased() + "\(response.statusCode)"
                return try JSONDecoder().decode(Value.self, from: JSONEncoder().encode([text]))
            }
        }
        let texts = try await scene.client.value(from: testURL, as: [String].self, by: Upper())
        #expect(texts == [#"{"NAME":"ANNA","JOINED":1}200"#])
        #expect(scene.server.requests.last?.fields[.accept] == "*/*")
    }

    @Test(arguments: ["204 No Content", "205 Reset Content", "200 OK"])
    func `an empty body is what the type says`(status: String) async throws {
        let scene = ClientScene { _ in Self.head(status) }
        #expect(try await scene.client.value(from: testURL, as: User?.self) == nil)
        #expect(try await scene.client.value(from: testURL, as: Nothing.self) == Nothing())
        let error = await failure { () async throws(ClientError) in
            try await scene.client.value(from: testURL, as: User.self)
        }
        guard case .decodingFailed(let failure, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .emptyBody)
        #expect(context.phase == .decode && context.response != nil)
    }

    @Test func `an answer to HEAD is empty`() async throws {
        let scene = ClientScene { _ in Self.head("200 OK", "Content-Length: 15\r\n") }
        #expect(try await scene.client.value(for: Request(.head, testURL), as: User?.self) == nil)
    }

    @Test func `what cannot be decoded is kept, as far as the limit goes`() async throws {
        var configuration = Client.Configuration()
        configuration.maximumErrorBodyByteCount = 10
        let scene = ClientScene(configuration) { _ in .response(body: #"{"name":7,"secret":"s3cr3t"}"#) }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.value(from: testURL, as: User.self)
        }
        guard case .decodingFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .typeMismatch)
        #expect(failure.path == "name")
        #expect(failure.body == Data(#"{"name":7,"#.utf8))
        #expect(!failure.isBodyComplete)
        #expect(error.map { "\($0)" }?.contains("s3cr3t") == false)
    }

    @Test func `a page in place of JSON is named`() async throws {
        let scene = ClientScene { _ in .response(fields: [.contentType: "text/html"], body: "<h1>Sign in</h1>") }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.value(from: testURL, as: User.self)
        }
        #expect(error?.fault == .decodingFailed(.corrupted))
        #expect(error.map { "\($0)" }?.contains("text/html") == true)
    }

    @Test func `the page that reports an error is no value`() async throws {
        let scene = ClientScene { _ in .response(.notFound, body: "<h1>404</h1>") }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.value(from: testURL, as: User.self)
        }
        guard case .validationFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.rule == .status(404))
        #expect(failure.body == Data("<h1>404</h1>".utf8))
    }

    @Test func `a request or a client with rules says what is accepted`() async throws {
        let answer: ScriptedServer.Answer = { _ in .response(.notFound, body: "7") }
        let scene = ClientScene(answer: answer)
        let request = Request(url: testURL).validate(.status([404]))
        #expect(try await scene.client.value(for: request, as: Int.self) == 7)
        #expect(try await scene.client.send(request).statusCode == 404)
        var configuration = Client.Configuration()
        configuration.validation = []
        let lax = ClientScene(configuration, answer: answer)
        #expect(try await lax.client.value(from: testURL, as: Int.self) == 7)
        #expect(try await lax.client.send(Request(url: testURL)).statusCode == 404)
    }

    @Test func `a body over the limit is not decoded`() async throws {
        let scene = ClientScene { _ in .response(body: "[1,2,3]") }
        var request = Request(url: testURL)
        request.options.maximumBodyByteCount = 3
        let small = request
        let error = await failure { () async throws(ClientError) in
            try await scene.client.value(for: small, as: [Int].self)
        }
        guard case .bodyTooLarge(limit: 3, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `send gives the head, and the connection back`() async throws {
        let scene = ClientScene { _ in .response(body: String(repeating: "x", count: 100_000)) }
        for _ in 0..<3 { #expect(try await scene.client.send(Request(.delete, testURL)).statusCode == 200) }
        #expect(scene.connector.attemptCount == 1)
    }

    @Test func `send refuses what is no success`() async {
        let scene = ClientScene { _ in .response(.internalServerError, body: "oops") }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.send(Request(.delete, testURL))
        }
        guard case .validationFailed(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.body == Data("oops".utf8))
    }

    @Test(arguments: [
        "Content-Length: 9\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\nnonsense",
        "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
    ])
    func `send does not mind a body that is broken`(rest: String) async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\n\(rest)", ending: .close) }
        #expect(try await scene.client.send(Request(.post, testURL)).statusCode == 200)
    }

    @Test func `send minds a length that is a rule`() async {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\n\r\nlonger", ending: .close) }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.send(Request(.post, testURL).validate(.length(0...3)))
        }
        guard case .validationFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `send does not wait for a body without end`() async throws {
        let long = String(repeating: "x", count: 300 << 10)
        let scene = ClientScene { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n\(long)", ending: .stall)
        }
        #expect(try await scene.client.send(Request(.post, testURL)).statusCode == 200)
        try await scene.waitForNoExchange()
    }
}
