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
    @Test(arguments: TestedTransport.allCases)
    func `a field of the caller's own arrives beside a body`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (body, writer) = RequestBody.makeWriter()
        async let seen = server.seen(server.request(.post, "request").header("X-Foo", "BARbaz").body(body))
        try await writer.write("Hello, World".utf8)
        writer.finish()
        #expect(try await seen.fields["X-Foo"] == ["BARbaz"])
    }

    @Test(arguments: TestedTransport.allCases)
    func `a field may have an empty value`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let seen = try await server.seen(server.request(.post, "request").header("X-Test", ""))
        #expect(seen.fields["X-Test"] == [""])
    }

    @Test(arguments: TestedTransport.allCases)
    func `two values of one name arrive at the server`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let request = server.get("request").header("X-Test", "one").header(adding: "X-Test", "two")
        #expect(try await server.seen(request).values("X-Test") == ["one", "two"])
    }

    @Test(arguments: TestedTransport.allCases)
    func `two values of one name arrive at the caller`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (_, response) = try await server.text(server.get("two-values"))
        let name = try #require(HTTPField.Name("X-Test"))
        let values = response.fields[values: name].flatMap { $0.split(separator: ",") }
        #expect(values.map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two"])
    }

    @Test(arguments: TestedTransport.allCases)
    func `parameters arrive, also empty ones and several of one name`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let request = server.get("request")
            .query("foo", "bar").query("bar", "baz").query("baz", "qux").query("qux", "").query("foo", "phew")
        let parameters = try await server.seen(request).parameters
        #expect(parameters == ["foo": ["bar", "phew"], "bar": ["baz"], "baz": ["qux"], "qux": [""]])
    }

    @Test(arguments: TestedTransport.allCases)
    func `a response to HEAD has a length, but no body`(by transport: TestedTransport) async throws {
        let server = try await ScenarioServer(transport)
        let (text, response) = try await server.text(server.request(.head, "head"))
        #expect(response.status == .ok)
        #expect(response[.contentLength] == "1000")
        #expect(text.isEmpty)
    }
}
