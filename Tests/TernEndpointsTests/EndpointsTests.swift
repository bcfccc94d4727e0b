// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests the requests of the code that the plug-in generates from the `.http` files next to this file.
@Suite("Endpoints from a file", .hangLimit)
struct EndpointsTests {
    /// Values that try to act as another part of the request.
    static let hostile = [
        "/..a/", "a../b", "?", "#", "&", "a=b", "\"", "\\", "\"}", "\u{2028}", "%2e", "%2e%2e", "@evil.example", "a b",
        "+", "ü",
    ]

    @Test func `a method sends what the file says, and gives what it promises`() async throws {
        let server = Recorder(answer: #"{"id": 3, "title": "Biscuit"}"#)
        let photo = try await Photos(client: server.client).fetchPhoto(id: 3)
        #expect(photo == Photo(id: 3, title: "Biscuit"))
        #expect(server.last?.method == .get && server.last?.target == "/api/photos/3")
        #expect(server.last?.fields[.accept] == "application/json")
    }

    @Test func `variables of the file are defaults`() async throws {
        let server = Recorder(answer: "[]")
        let photos = Photos(client: server.client, baseURL: "http://other.example/v2/", token: "t")
        #expect(try await photos.findPhotos(text: "sea").isEmpty)
        #expect(server.last?.target == "/v2/photos?text=sea&limit=20")
        #expect(server.last?.fields[.authorization] == "Bearer t")
        _ = try await photos.findPhotos(text: "sea", limit: 5, page: 2)
        #expect(server.last?.target == "/v2/photos?text=sea&limit=5&page=2")
    }

    @Test(arguments: hostile)
    func `a value in a path or a query stays there`(value: String) async throws {
        let server = Recorder(answer: "[]")
        let photos = Photos(client: server.client)
        _ = try await photos.findPhotos(text: value)
        let query = try #require(server.last?.target.split(separator: "?").last)
        #expect(query.split(separator: "&").count == 2 && !query.contains("#"))
        _ = try await photos.image(in: value)
        let path = try #require(server.last?.target)
        #expect(path.hasPrefix("/api/photos/") && path.hasSuffix(".jpg") && path.split(separator: "/").count == 3)
        #expect(!path.contains { "?#&\"\\ ".contains($0) })
    }

    @Test(arguments: ["/../", "../..", "..\\x"])
    func `a value that is a step in the tree, for servers that decode before they look, is refused`(
        value: String
    ) async throws {
        let server = Recorder()
        await #expect(throws: ClientError.self) { try await Photos(client: server.client).image(in: value) }
        #expect(server.count == 0)
    }

    @Test(arguments: hostile)
    func `a value in JSON or a form stays there`(value: String) async throws {
        let server = Recorder(answer: #"{"id": 3, "title": "Biscuit"}"#)
        let photos = Photos(client: server.client)
        _ = try await photos.addPhoto(tags: [value, "x"], title: value)
        struct Sent: Decodable, Equatable {
            var title: String
            var tags: [String]
        }
        let sent = try JSONDecoder().decode(Sent.self, from: Data(server.last?.body ?? []))
        #expect(sent == Sent(title: value, tags: [value, "x"]))
        #expect(server.last?.fields[.contentType] == "application/json")
        try await photos.signIn(user: value, password: value)
        #expect(server.last?.text.split(separator: "&").count == 2)
        #expect(server.last?.fields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test(arguments: [".", "..", ""])
    func `a value that would lead elsewhere is refused`(value: String) async throws {
        let server = Recorder()
        await #expect(throws: ClientError.self) {
            try await Photos(client: server.client).comment(id: value, text: "x")
        }
        #expect(server.last == nil)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\n", "a\u{0}"])
    func `a value in a field brings no other field`(value: String) async throws {
        let server = Recorder(answer: "[]")
        let photos = Photos(client: server.client, token: value)
        await #expect(throws: ClientError.self) { try await photos.findPhotos(text: "x") }
        await #expect(throws: ClientError.self) {
            try await Bodies(client: server.client).text(count: value, name: "x")
        }
        #expect(server.last == nil)
    }

    @Test func `a text has its values as they are`() async throws {
        let server = Recorder()
        try await Photos(client: server.client).comment(id: "3", text: "a\r\nb \\(c)")
        #expect(server.last?.text == "Says a\r\nb \\(c): \"\"\" \\\nend")
        #expect(server.last?.fields[.contentType] == "text/plain")
    }

    @Test func `each kind of body is sent, with its type`() async throws {
        let server = Recorder()
        let bodies = Bodies(client: server.client)
        _ = try await bodies.json(photo: Photo(id: 1, title: "\""))
        #expect(server.last?.text == "[\n    {\"id\":1,\"title\":\"\\\"\"},\n\n    null\n]")
        #expect(server.last?.fields[.contentType] == "application/problem+json")
        try await bodies.form(count: 2, name: "a&b", total: "3")
        #expect(server.last?.text == "a%26b=x&count=2&both=2+of+3")
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        #expect(server.last?.fields[values: .contentType] == [type])
        _ = try await bodies.text(count: "1", name: "Anna")
        #expect(server.last?.text == "Dear Anna,\n\tbye.")
    }

    @Test func `words of Swift are names like any other`() async throws {
        let server = Recorder(answer: #"{"a": 1}"#)
        let words = WordsOfSwift(client: server.client, server: "http://h")
        #expect(try await words.class(in: 7) == ["a": 1])
        #expect(server.last?.target == "/7/%5C(1)")
        #expect(server.last?.text == #"{"a": "\\(b) a\"b\\(c)", "c": "\"\"\"", "d": 7, "e": "x\"\\(y)"}"#)
        try await words.await(await: "a/b")
        #expect(server.last?.target == "/a%2Fb")
    }

    @Test func `lines arrive one by one`() async throws {
        var lines: [String] = []
        for try await line in try await Photos(client: Recorder(answer: "a\nb").client).updates() { lines.append(line) }
        #expect(lines == ["a", "b"])
    }

    @Test func `a variable may be a secret, and is not shown`() {
        let photos = Photos(token: "woof")
        #expect(!"\(photos)".contains("woof") && !String(reflecting: photos).contains("woof"))
        var shown = ""
        dump(photos, to: &shown)
        #expect(!shown.contains("woof"))
    }
}
