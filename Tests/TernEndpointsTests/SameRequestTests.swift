// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernRequestFiles
import TernTesting
import TestSupport
import Testing

@testable import TernCommand

/// Tests that `tern-cli run` and the generated code send the same requests for the same file.
@Suite("The command line and the generated code", .hangLimit)
struct SameRequestTests {
    /// Returns the request that `tern-cli run` sends.
    private func typed(_ file: String, _ name: String, _ variables: [String: String]) async throws -> ReceivedRequest {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let read = try RequestFile(Array(try Data(contentsOf: folder.appending(path: file))))
        let arguments = try variables.map { try #require(VariableArgument(argument: "\($0.key)=\($0.value)")) }
        let run = try RequestFileRun(read, name: name, arguments, folder: folder)
        let server = Recorder { _ in .response(.noContent) }  // the command prints nothing, and connects once
        let binding = try #require(run.bindings.first)
        switch binding.definition.result {
        case .events, .reconnectingEvents, .decodedEvents, .decodedRecords:
            _ = try await StreamPrinter(isQuiet: true).print(binding.definition, binding.request, server.client)
        default: _ = try await server.client.data(for: binding.request)
        }
        return try #require(server.last)
    }

    private func expectSame(_ left: ReceivedRequest?, _ right: ReceivedRequest) throws {
        let left = try #require(left)
        #expect(left.method == right.method && left.target == right.target && left.text == right.text)
        #expect(left.fields == right.fields)
    }

    @Test(arguments: EndpointsTests.hostile)
    func `send the same`(value: String) async throws {
        let server = Recorder(answer: #"{"id": 3, "title": "Biscuit"}"#)
        let photos = Photos(client: server.client)
        _ = try await photos.fetchPhoto(id: 3)
        try self.expectSame(server.last, try await self.typed("Photos.http", "fetchPhoto", ["id": "3"]))
        _ = try await photos.addPhoto(tags: [value], title: value)
        let tags = String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
        try self.expectSame(
            server.last,
            try await self.typed("Photos.http", "addPhoto", ["title": value, "tags": tags])
        )
        try await photos.signIn(user: value, password: "w")
        let signIn = try await self.typed("Photos.http", "signIn", ["user": value, "password": "w"])
        try self.expectSame(server.last, signIn)
        try await photos.comment(id: "x\(value)", text: value)
        try self.expectSame(
            server.last,
            try await self.typed("Photos.http", "comment", ["id": "x\(value)", "text": value])
        )
        _ = try await photos.image(in: value)
        try self.expectSame(server.last, try await self.typed("Photos.http", "image", ["in": value]))
        let list = Recorder(answer: "[]")
        _ = try await Photos(client: list.client, token: "x").findPhotos(text: value, page: 2)
        let found = try await self.typed("Photos.http", "findPhotos", ["text": value, "page": "2", "token": "x"])
        try self.expectSame(list.last, found)
    }

    @Test func `send the same bodies`() async throws {
        let server = Recorder()
        let bodies = Bodies(client: server.client)
        _ = try await bodies.json(photo: Photo(id: 1, title: "a/b"), half: 0.5)
        let photo = #"{"title": "a/b", "id": 1}"#
        try self.expectSame(server.last, try await self.typed("bodies.http", "json", ["photo": photo, "half": "0.5"]))
        try await bodies.form(count: 2, name: "n", total: "3")
        let form = try await self.typed("bodies.http", "form", ["count": "2", "name": "n", "total": "3"])
        try self.expectSame(server.last, form)
        _ = try await bodies.text(count: "1", name: "Anna")
        try self.expectSame(server.last, try await self.typed("bodies.http", "text", ["count": "1", "name": "Anna"]))
    }

    @Test func `send the same requests for streams`() async throws {
        // The answer is no stream of events, so each call ends at once.
        let server = Recorder(answer: "{}", type: "application/json")
        let streams = Streams(client: server.client)
        await #expect(throws: ClientError.self) { try await streams.answer(question: "a\"b") }
        try self.expectSame(server.last, try await self.typed("streams.http", "answer", ["question": "a\"b"]))
        await #expect(throws: ClientError.self) { try await streams.messages() }
        try self.expectSame(server.last, try await self.typed("streams.http", "messages", [:]))
        var elements = streams.watch(album: 3).makeAsyncIterator()
        _ = try? await elements.next()
        try self.expectSame(server.last, try await self.typed("streams.http", "watch", ["album": "3"]))
        _ = try await streams.changes(since: 4)
        try self.expectSame(server.last, try await self.typed("streams.http", "changes", ["since": "4"]))
        _ = try await streams.dates(text: "x")
        try self.expectSame(server.last, try await self.typed("streams.http", "dates", ["text": "x"]))
    }

    /// RFC 3986 §2.4: "Implementations must not percent-encode or decode the same string more than once".
    @Test func `encode no escape of the file again, though a bracket stands beside it`() async throws {
        let server = Recorder()
        _ = try await Escapes(client: server.client).get(f: "[%20]")
        #expect(server.last?.target == "/a%20%5Bb%5D/c%20d?e=%20%5B%2520%5D")
        try self.expectSame(server.last, try await self.typed("escapes.http", "get", ["f": "[%20]"]))
        let base = "http://example.com/[%2F] ?g[]=%20"
        _ = try await Escapes(client: server.client, base: base).get(f: "x")
        #expect(server.last?.target == "/%5B%2F%5D%20/c%20d?g%5B%5D=%20&e=%20x")
        try self.expectSame(server.last, try await self.typed("escapes.http", "get", ["base": base, "f": "x"]))
    }
}
