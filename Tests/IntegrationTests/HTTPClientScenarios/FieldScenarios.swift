// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

/// Tests fields and parameters in requests and responses.
@Suite("HTTP API scenarios: fields", .hangLimit)
struct FieldScenarios {
    @Test func `a field of the caller's own arrives beside a body`() async throws {
        let server = try await ScenarioServer()
        let (body, writer) = RequestBody.makeWriter()
        async let seen = server.seen(server.request(.post, "request").header("X-Foo", "BARbaz").body(body))
        try await writer.write("Hello, World".utf8)
        writer.finish()
        #expect(try await seen.fields["X-Foo"] == ["BARbaz"])
    }

    @Test func `a field may have an empty value`() async throws {
        let server = try await ScenarioServer()
        let seen = try await server.seen(server.request(.post, "request").header("X-Test", ""))
        #expect(seen.fields["X-Test"] == [""])
    }

    @Test func `two values of one name arrive at the server`() async throws {
        let server = try await ScenarioServer()
        let request = server.get("request").header("X-Test", "one").header(adding: "X-Test", "two")
        #expect(try await server.seen(request).values("X-Test") == ["one", "two"])
    }

    @Test func `two values of one name arrive at the caller`() async throws {
        let server = try await ScenarioServer()
        let (_, response) = try await server.text(server.get("two-values"))
        let name = try #require(HTTPField.Name("X-Test"))
        let values = response.fields[values: name].flatMap { $0.split(separator: ",") }
        #expect(values.map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two"])
    }

    @Test func `parameters arrive, also empty ones and several of one name`() async throws {
        let server = try await ScenarioServer()
        let request = server.get("request")
            .query("foo", "bar").query("bar", "baz").query("baz", "qux").query("qux", "").query("foo", "phew")
        let parameters = try await server.seen(request).parameters
        #expect(parameters == ["foo": ["bar", "phew"], "bar": ["baz"], "baz": ["qux"], "qux": [""]])
    }

    @Test func `a response to HEAD has a length, but no body`() async throws {
        let server = try await ScenarioServer()
        let (text, response) = try await server.text(server.request(.head, "head"))
        #expect(response.status == .ok)
        #expect(response[.contentLength] == "1000")
        #expect(text.isEmpty)
    }
}
