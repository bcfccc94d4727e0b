// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Misuse: requests that cannot be sent", .hangLimit)
struct InvalidRequestTests {
    @Test(
        arguments: [
            ("http:///path", RequestFailure.missingHost), ("http://", .missingHost), ("/path", .relativeURL),
            ("ftp://127.0.0.1/", .unsupportedScheme("ftp")), ("http://127.0.0.1:0/", .malformedPort),
            ("http://127.0.0.1:65536/", .malformedPort), ("", .emptyURL),
        ]
    )
    func `a URL that leads nowhere is refused`(_ url: String, _ expected: RequestFailure) async throws {
        let error = await failure { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: Request(.get, url))
        }
        #expect(error?.fault == .invalidRequest(expected))
        #expect(error?.context.phase == .prepare)
        #expect(error?.isRetryable == false)
    }

    @Test(arguments: ["a\rb", "a\nb", "a\r\nInjected: yes", "a\0b"])
    func `a field that would break the head is refused, and nothing is sent`(_ value: String) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: server.get("/fine").header("X-Name", value))
        }
        #expect(fault == .invalidRequest(.malformedFieldValue(name: "X-Name")))
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["", "a b", "a:", "a\r\n", "ä"])
    func `the name of a field that is no token is refused`(_ name: String) async throws {
        let server = try await RawServer()
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: server.get("/fine").header(name, "value"))
        }
        #expect(fault == .invalidRequest(.malformedFieldName))
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .trace])
    func `an upload by a method without a body is refused`(_ method: HTTPRequest.Method) async throws {
        let server = try await RawServer()
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).upload(
                for: Request(method, server.url("/upload")),
                from: Data("x".utf8)
            )
        }
        #expect(fault == .invalidRequest(.bodyNotAllowed(method: method.rawValue)))
    }

    @Test func `two bodies are refused`() async throws {
        let server = try await RawServer()
        let request = Request(.post, server.url("/upload")).body(data: Data("one".utf8))
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).upload(for: request, from: Data("two".utf8))
        }
        #expect(fault == .invalidRequest(.ambiguousBody))
    }

    @Test(arguments: ["Content-Length", "Transfer-Encoding"])
    func `a field that frames the message is refused`(_ name: String) async throws {
        let server = try await RawServer()
        let error = await failure { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: server.get("/fine").header(name, "4"))
        }
        guard case .invalidRequest(.framingField)? = error?.fault else {
            Issue.record("\(name) gave \(String(describing: error))")
            return
        }
    }
}
