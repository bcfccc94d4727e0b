// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

@testable import TernCommand

/// Tests that the command line of a request from `Request.curl()` creates the same request, for all features that both
/// support.
@Suite("A request as a command line, and back")
struct CurlRoundTripTests {
    /// Provides every file, and the body on standard input.
    private struct Input: ContentInput {
        var body: [UInt8]

        func read(_ path: String) async throws(CommandFailure) -> [UInt8] { self.body }

        func check(_ path: String) throws(CommandFailure) {}
    }

    /// Returns the words of a command line, like a POSIX shell splits them.
    static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var rest = line[...].unicodeScalars
        while let scalar = rest.popFirst() {
            switch (scalar, isQuoted) {
            case ("'", _):
                isQuoted.toggle()
                word = word ?? ""
            case ("\\", false):
                if let next = rest.popFirst() { word = (word ?? "") + String(next) }
            case (" ", false):
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(scalar)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// Returns the request that a command line creates.
    private static func request(_ line: String, _ body: [UInt8]) async throws -> Request {
        let words = Self.words(line)
        #expect(words.first == "curl")
        let arguments = try CommandArguments(Array(words.dropFirst())).words
        #expect(arguments.first == "get")
        let command = try GetCommand.parse(Array(arguments.dropFirst()))
        let secrets = ConnectionOptions.Secrets(password: "***")
        var method: HTTPRequest.Method = command.head ? .head : .get
        if command.content.hasBody, method == .get { method = .post }
        let request = try command.connection.request(
            command.call.method(or: method),
            command.url,
            timeout: command.call.timeout,
            secrets
        )
        return try await command.completed(request, command.content, Input(body: body))
    }

    private static func check(_ request: Request) async throws {
        let line = request.curl()
        var body: [UInt8] = []
        if case .data(let data)? = request.body?.content { body = Array(data) }
        let other = try await Self.request(line, body)
        #expect(other.curl() == line)
        #expect(other.method == request.method)
        #expect(other.url.absoluteString == request.url.absoluteString)
        #expect(Self.fields(of: other) == Self.fields(of: request), "\(line)")
        switch (other.body?.content, request.body?.content) {
        case (nil, nil): break
        case (.data(let one)?, .data(let two)?): #expect(one == two)
        case (.file(let one)?, .file(let two)?): #expect(one.path == two.path)
        case (.multipart(let one)?, .multipart(let two)?):
            #expect(one.parts.map(\.name) == two.parts.map(\.name))
            #expect(one.parts.map(\.filename) == two.parts.map(\.filename))
            #expect(one.parts.map(\.contentType) == two.parts.map(\.contentType))
            #expect(one.parts.map(Self.path) == two.parts.map(Self.path))
        default: Issue.record("another kind of body: \(line)")
        }
    }

    private static func path(of part: Multipart.Part) -> String? {
        if case .file(let url) = part.content { url.path } else { nil }
    }

    private static func fields(of request: Request) -> [String] {
        let isForm = if case .multipart? = request.body?.content { true } else { false }
        // Each request with a form has another boundary.
        return request.effectiveFields.filter { !isForm || $0.name != .contentType }.map { field in
            "\(field.name.canonicalName): \(field.value)"
        }.sorted()
    }

    // MARK: Requests

    private static let texts = [
        "a", "", "a b", "it's", "\"quoted\"", "a;b,c", "@file", "-x", "--", "ö 犬 e\u{301}", "\\", "$HOME `x`", "=",
        "a=b&c", "%41",
    ]
    private static let urls = [
        "http://a/", "https://dogs.example:8443/a/b?c=d&e", "http://127.0.0.1/?q=it's", "http://a/%2F%20?x=%41+b",
        "http://[::1]:8080/a;b", "http://a/?a[0]=1",
    ]
    private static let methods: [HTTPRequest.Method] = [.get, .get, .head, .post, .put, .delete, .patch, .options]

    private static func random(_ generator: inout SeededGenerator) throws -> Request {
        let pick = { (texts: [String], generator: inout SeededGenerator) in texts.randomElement(using: &generator) ?? ""
        }
        let purge = try #require(HTTPRequest.Method("PURGE"))
        let method = (Self.methods + [purge]).randomElement(using: &generator) ?? .get
        var request = Request(method, pick(Self.urls, &generator))
        for name in ["X-Dog", "X-Cat", "Accept", "Content-Language"] where Bool.random(using: &generator) {
            let value = pick(Self.texts, &generator)
            request = request.header(name, value)
        }
        if Bool.random(using: &generator) {
            request = request.header(.userAgent, "dog/1 \(pick(Self.texts, &generator))")
        }
        try Self.addOptions(&request, &generator)
        if method != .head { try Self.addBody(&request, &generator) }
        return request
    }

    private static func addOptions(_ request: inout Request, _ generator: inout SeededGenerator) throws {
        let chance = { (generator: inout SeededGenerator) in Int.random(in: 0..<4, using: &generator) == 0 }
        if chance(&generator) { request = request.timeout(.milliseconds(1500)) }
        if chance(&generator) { request = request.timeouts(Timeouts(connect: .seconds(3))) }
        if chance(&generator) { request = request.redirects(RedirectPolicy(maximumCount: 7)) }
        if chance(&generator) { request = request.unixSocket(path: "/tmp/it's a socket") }
        if chance(&generator) { request.options.decodesContent = true }
        if chance(&generator) { request.options.expectsContinue = Bool.random(using: &generator) }
        if chance(&generator) { request.options.maximumBodyByteCount = 12_345 }
        if chance(&generator) {
            let proxy = try Proxy(Bool.random(using: &generator) ? "http://p:3128" : "socks5://p:1080")
            request = request.proxy(Bool.random(using: &generator) ? .proxy(proxy) : .direct)
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: request = request.credential(Credential(user: "anna", password: "woof"))
        case 1: request = request.credential(Credential(user: "anna", password: "woof"), isPreemptive: true)
        case 2: request = request.credential(Credential(token: "abc"))
        default: break
        }
    }

    private static func addBody(_ request: inout Request, _ generator: inout SeededGenerator) throws {
        let path = "/tmp/\(self.texts.filter { !$0.isEmpty }.randomElement(using: &generator) ?? "f").txt"
        let type = Bool.random(using: &generator) ? "text/x-dog" : nil
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: request = request.body(data: Data(), contentType: type)
        case 1: request = request.body(data: Data("a\r\n\u{0}b".utf8), contentType: type)
        case 2: request = request.body(file: URL(filePath: path), contentType: type)
        case 3: request = request.body(form: [("a", "b"), ("c", "d e")])
        case 4:
            var multipart = Multipart()
            for name in ["a", "a b", "\"q\"", "ö"] where Bool.random(using: &generator) {
                let filename = Bool.random(using: &generator) ? "it's; a \"dog\",\\.txt" : nil
                let type = Bool.random(using: &generator) ? "text/plain;charset=utf-8" : "image/png"
                multipart = multipart.file(name, URL(filePath: path), filename: filename, contentType: type)
            }
            if multipart.hasFiles { request = request.body(multipart: multipart) }
        default: break
        }
    }

    @Test(arguments: 0..<6)
    func `a request comes back from its command line`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<10 { try await Self.check(try Self.random(&generator)) }
    }

    @Test func `secrets come back masked`() async throws {
        let request = Request(.get, "http://a/?token=s3cret").header(.authorization, "Bearer s3cret")
        let other = try await Self.request(request.curl(), [])
        #expect(other.curl() == request.curl())
        #expect(other.fields[.authorization] == "***")
    }

    @Test func `a shell splits as this test does`() {
        #expect(Self.words("curl --head 'it'\\''s' '' a") == ["curl", "--head", "it's", "", "a"])
    }
}
