// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TernBrotli
import TestSupport
import Testing

/// Tests the bodies of requests and responses, and their content codings.
@Suite("HTTP API scenarios: content", .hangLimit)
struct ContentScenarios {
    @Test(arguments: TestedTransport.allCases, [HTTPRequest.Method.head, .get, .put, .post, .delete])
    func `each method gets an empty answer`(by transport: TestedTransport, method: HTTPRequest.Method) async throws {
        let server = try await ScenarioServer(transport)
        let (text, response) = try await server.text(server.request(method, "fine"))
        #expect(response.status == .ok)
        #expect(text.isEmpty)
    }

    @Test(arguments: TestedTransport.allCases)
    func `text that is written by hand comes back`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (body, writer) = RequestBody.makeWriter()
        async let answer = server.text(server.request(.post, "echo").body(body))
        try await writer.write("Hello, World".utf8)
        writer.finish()
        let (text, response) = try await answer
        #expect(response.status == .ok)
        #expect(text == "Hello, World")
    }

    @Test(arguments: TestedTransport.allCases, [nil, 0] as [Int64?])
    func `a body of nothing but an empty piece is complete`(by transport: TestedTransport, length: Int64?) async throws
    {
        let server = try await ScenarioServer(transport)
        let (body, writer) = RequestBody.makeWriter(length: length)
        async let seen = server.seen(server.request(.post, "request").body(body))
        try await writer.write(Data())
        writer.finish()
        #expect(try await seen.body.isEmpty)
    }

    @Test(arguments: TestedTransport.allCases)
    func `a megabyte comes back while the client is still sending`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (body, writer) = RequestBody.makeWriter(length: 1_000_000)
        async let answer = server.text(server.request(.post, "echo").body(body))
        try await writer.write(repeatElement(UInt8(ascii: "A"), count: 1_000_000))
        writer.finish()
        expectEqual(try await answer.0, String(repeating: "A", count: 1_000_000))
    }

    @Test(arguments: TestedTransport.allCases)
    func `a body may be left after its first byte`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (bytes, response) = try await server.client.bytes(for: server.get("megabyte"))
        #expect(response.status == .ok)
        var iterator = bytes.makeAsyncIterator()
        #expect(try await iterator.next() == UInt8(ascii: "A"))
    }

    @Test(arguments: TestedTransport.allCases)
    func `a body may be read byte by byte`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (bytes, _) = try await server.client.bytes(for: server.get("megabyte"))
        var count = 0
        for try await byte in bytes where byte == UInt8(ascii: "A") { count += 1 }
        #expect(count == 1_000_000)
    }

    // MARK: Codings

    @Test(arguments: TestedTransport.allCases, ["gzip", "deflate"])
    func `content in a coding that the client accepts is decoded`(
        by transport: TestedTransport,
        coding: String
    ) async throws {
        let server = try await ScenarioServer(transport)
        let (text, response) = try await server.text(server.get(coding))
        #expect(response.status == .ok)
        #expect(response[.contentEncoding] == nil)
        #expect(text == "some text\n")
    }

    @Test(arguments: TestedTransport.allCases, ["text", "brotli"])
    func `content without a coding that the client accepts comes as it is`(
        by transport: TestedTransport,
        name: String
    ) async throws {
        let server = try await ScenarioServer(transport)
        let (text, response) = try await server.text(server.get(name))
        #expect(response.status == .ok)
        #expect(response[.contentEncoding] == nil)
        #expect(text == "some text\n")
    }

    @Test(arguments: TestedTransport.allCases)
    func `content in Brotli is decoded if the client has the codec`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport) { $0.contentCodecs = [.brotli] }
        let (text, response) = try await server.text(server.get("brotli"))
        #expect(response[.contentEncoding] == nil)
        #expect(text == "some text\n")
    }

    // MARK: Without a request value

    @Test(arguments: TestedTransport.allCases)
    func `an address alone is fetched`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (data, response) = try await server.client.data(from: server.get("request").url)
        #expect(response.status == .ok)
        let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
        #expect(seen.method == "GET")
        #expect(seen.body.isEmpty)
    }

    @Test(arguments: TestedTransport.allCases)
    func `data is sent`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let request = server.request(.post, "request")
        let (data, response) = try await server.client.upload(for: request, from: Data("Hello, World".utf8))
        #expect(response.status == .ok)
        let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
        #expect(seen.method == "POST")
        #expect(seen.body == "Hello, World")
    }
}
