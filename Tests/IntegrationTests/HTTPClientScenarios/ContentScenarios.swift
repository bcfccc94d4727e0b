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
    @Test(arguments: [HTTPRequest.Method.head, .get, .put, .post, .delete])
    func `each method gets an empty answer`(method: HTTPRequest.Method) async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.request(method, "fine"))
        #expect(response.status == .ok)
        #expect(text.isEmpty)
    }

    @Test func `text that is written by hand comes back`() async throws {
        let server = try await ScenarioServer()
        let (body, writer) = RequestBody.makeWriter()
        async let answer = server.text(server.request(.post, "echo").body(body))
        try await writer.write("Hello, World".utf8)
        writer.finish()
        let (text, response) = try await answer
        #expect(response.status == .ok)
        #expect(text == "Hello, World")
    }

    @Test(arguments: [nil, 0] as [Int64?])
    func `a body of nothing but an empty piece is complete`(length: Int64?) async throws {
        let server = try await ScenarioServer()
        let (body, writer) = RequestBody.makeWriter(length: length)
        async let seen = server.seen(server.request(.post, "request").body(body))
        try await writer.write(Data())
        writer.finish()
        #expect(try await seen.body.isEmpty)
    }

    @Test func `a megabyte comes back while the client is still sending`() async throws {
        let server = try await ScenarioServer()
        let (body, writer) = RequestBody.makeWriter(length: 1_000_000)
        async let answer = server.text(server.request(.post, "echo").body(body))
        try await writer.write(repeatElement(UInt8(ascii: "A"), count: 1_000_000))
        writer.finish()
        expectEqual(try await answer.0, String(repeating: "A", count: 1_000_000))
    }

    @Test func `a body may be left after its first byte`() async throws {
        let server = try await ScenarioServer()
        let (bytes, response) = try await server.client.bytes(for: server.get("megabyte"))
        #expect(response.status == .ok)
        var iterator = bytes.makeAsyncIterator()
        #expect(try await iterator.next() == UInt8(ascii: "A"))
    }

    @Test func `a body may be read byte by byte`() async throws {
        let server = try await ScenarioServer()
        let (bytes, _) = try await server.client.bytes(for: server.get("megabyte"))
        var count = 0
        for try await byte in bytes where byte == UInt8(ascii: "A") { count += 1 }
        #expect(count == 1_000_000)
    }

    // MARK: Codings

    @Test(arguments: ["gzip", "deflate"])
    func `content in a coding that the client accepts is decoded`(coding: String) async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.get(coding))
        #expect(response.status == .ok)
        #expect(response[.contentEncoding] == nil)
        #expect(text == "some text\n")
    }

    @Test(arguments: ["text", "brotli"])
    func `content without a coding that the client accepts comes as it is`(name: String) async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.get(name))
        #expect(response.status == .ok)
        #expect(response[.contentEncoding] == nil)
        #expect(text == "some text\n")
    }

    @Test func `content in Brotli is decoded if the client has the codec`() async throws {
        let server = try await ScenarioServer { $0.contentCodecs = [.brotli] }
        let (text, response) = try await server.text(server.get("brotli"))
        #expect(response[.contentEncoding] == nil)
        #expect(text == "some text\n")
    }

    // MARK: Without a request value

    @Test func `an address alone is fetched`() async throws {
        let server = try await ScenarioServer()
        let (data, response) = try await server.client.data(from: server.get("request").url)
        #expect(response.status == .ok)
        let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
        #expect(seen.method == "GET")
        #expect(seen.body.isEmpty)
    }

    @Test func `data is sent`() async throws {
        let server = try await ScenarioServer()
        let request = server.request(.post, "request")
        let (data, response) = try await server.client.upload(for: request, from: Data("Hello, World".utf8))
        #expect(response.status == .ok)
        let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
        #expect(seen.method == "POST")
        #expect(seen.body == "Hello, World")
    }
}
