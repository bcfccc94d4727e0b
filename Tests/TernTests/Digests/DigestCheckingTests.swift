// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests that the client compares the content of responses with their digests (RFC 9530).
@Suite("Digests of responses", .hangLimit)
struct DigestCheckingTests {
    /// The digest of `hello world`; the next constant is the digest of empty content.
    static let good = "sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:"
    static let bad = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
    static let mismatch = Fault.digestFailed(.mismatch(algorithm: "sha-256", field: "Content-Digest"))
    static let missing = Fault.digestFailed(.missing)
    static let contentDigest = HTTPField.Name("Content-Digest") ?? .cookie
    static let reprDigest = HTTPField.Name("Repr-Digest") ?? .cookie

    private static let chunks = ["hello", " world"]

    /// Returns a client that checks digests, and whose server sends the same response to every request.
    private static func scene(
        _ checking: DigestChecking,
        _ answer: ScriptedResponse,
        bytesPerPiece: Int = .max,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) -> ClientScene {
        var configuration = Client.Configuration()
        configuration.digestChecking = checking
        change(&configuration)
        let plan = ConnectionPlan.accept(toClient: [.drip(bytesPerPiece: bytesPerPiece)])
        return ClientScene(plan: plan, configuration) { _ in answer }
    }

    private static func scene(_ answer: ScriptedResponse, bytesPerPiece: Int = .max) -> ClientScene {
        Self.scene(.ifPresent, answer, bytesPerPiece: bytesPerPiece)
    }

    private static func text(_ scene: ClientScene, _ request: Request = Request(url: testURL)) async throws -> String {
        try await scene.client.string(for: request)
    }

    private static func fault(_ scene: ClientScene, _ request: Request = Request(url: testURL)) async -> Fault? {
        await ClientTestSupport.fault { () async throws(ClientError) in try await scene.client.data(for: request) }
    }

    // MARK: In the head and behind the body

    @Test func `only content that has the digest in the head passes, wherever it was cut`() async throws {
        for digest in [Self.good, Self.bad] {
            let whole = ScriptedResponse.response(fields: [Self.contentDigest: digest], body: "hello world")
            let chunked = ScriptedResponse.chunked(Self.chunks, fields: [Self.contentDigest: digest])
            for answer in [whole, chunked] {
                for byteCount in 1...(answer.head.count + answer.body.count) {
                    let scene = Self.scene(.required, answer, bytesPerPiece: byteCount)
                    if digest == Self.good {
                        #expect(try await Self.text(scene) == "hello world")
                    } else {
                        #expect(await Self.fault(scene) == Self.mismatch)
                    }
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `a digest behind the body is compared, wherever the response was cut`(isAnnounced: Bool) async throws {
        let head: HTTPFields = isAnnounced ? [.trailer: "Content-Digest"] : [:]
        for digest in [Self.good, Self.bad] {
            let answer = ScriptedResponse.chunked(Self.chunks, fields: head, trailers: [Self.contentDigest: digest])
            for byteCount in 1...(answer.head.count + answer.body.count) {
                let scene = Self.scene(.required, answer, bytesPerPiece: byteCount)
                if digest == Self.good {
                    #expect(try await Self.text(scene) == "hello world")
                } else {
                    #expect(await Self.fault(scene) == Self.mismatch)
                }
            }
        }
    }

    @Test func `the error names the algorithm and the field, and the response`() async throws {
        let answer = ScriptedResponse.response(fields: [Self.contentDigest: Self.bad], body: "hello world")
        let error = try #require(await Self.scene(answer).client.failure(Request(url: testURL)))
        #expect(error.fault == Self.mismatch)
        #expect(error.context.phase == .body)
        #expect(error.status == .ok)
        #expect(!error.isRetryable)
        #expect(!"\(error)".contains("hello") && !"\(error)".contains(Self.bad))
    }

    // MARK: What is asked for

    @Test func `a client that does not check asks for nothing and compares nothing`() async throws {
        let scene = ClientScene { _ in .response(fields: [Self.contentDigest: Self.bad], body: "hello world") }
        #expect(try await Self.text(scene) == "hello world")
        let names = try #require(scene.server.requests.first).fields.map(\.name.canonicalName)
        #expect(!names.contains("te") && !names.contains("want-content-digest") && !names.contains("connection"))
    }

    @Test(.http1Only("asserts the field Connection"))
    func `one that does asks for digests and trailers, and leaves what the request says of that`() async throws {
        let scene = Self.scene(.response(fields: [Self.contentDigest: Self.good], body: "hello world"))
        _ = try await Self.text(scene)
        let own = Request(url: testURL).header("Want-Content-Digest", "sha-512=3").header(.te, "trailers;q=0.5")
        _ = try await Self.text(scene, own)
        let want = HTTPField.Name("Want-Content-Digest") ?? .cookie
        #expect(scene.server.requests.map { $0.fields[want] } == ["sha-256=10, sha-512=5", "sha-512=3"])
        #expect(scene.server.requests.map { $0.fields[.te] } == ["trailers", "trailers;q=0.5"])
        #expect(scene.server.requests.map { $0.fields[.connection] } == ["TE", "TE"])
    }

    @Test func `a request may want it otherwise than its client`() async throws {
        let answer = ScriptedResponse.response(fields: [Self.contentDigest: Self.bad], body: "hello world")
        let off = Request(url: testURL).digestChecking(.off)
        #expect(try await Self.text(Self.scene(.required, answer), off) == "hello world")
        for checking in [DigestChecking.ifPresent, .required] {
            let request = Request(url: testURL).digestChecking(checking)
            #expect(request.options.digestChecking == checking)
            #expect(await Self.fault(Self.scene(.off, answer), request) == Self.mismatch)
        }
    }

    // MARK: Without a digest

    @Test func `a response without a digest passes unless one is required`() async throws {
        for answer in [ScriptedResponse.response(body: "hello world"), .chunked(Self.chunks)] {
            #expect(try await Self.text(Self.scene(.ifPresent, answer)) == "hello world")
            #expect(await Self.fault(Self.scene(.required, answer)) == Self.missing)
        }
        let unknown = ScriptedResponse.response(fields: [Self.contentDigest: "md5=:AAAA:"], body: "hello world")
        #expect(try await Self.text(Self.scene(.ifPresent, unknown)) == "hello world")
        #expect(await Self.fault(Self.scene(.required, unknown)) == Self.missing)
    }

    @Test(.http1Only("over HTTP/2, trailers can always come"))
    func `where no trailers can come, a missing digest is known before the body`() async throws {
        let answer = ScriptedResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello", ending: .stall)
        #expect(await Self.fault(Self.scene(.required, answer)) == Self.missing)
    }

    @Test func `a field that cannot be read fails the call`() async throws {
        let failure = Fault.digestFailed(.malformed(field: "Content-Digest"))
        let head = ScriptedResponse.response(fields: [Self.contentDigest: "sha-256=AAAA"], body: "hello world")
        let trailer = ScriptedResponse.chunked(Self.chunks, trailers: [Self.contentDigest: "sha-256=:AAAA"])
        for answer in [head, trailer] { #expect(await Self.fault(Self.scene(answer)) == failure) }
    }

    @Test(.http1Only("counts the bytes of the connection"))
    func `a body that ends in its trailers is not complete`() async throws {
        let answer = ScriptedResponse.chunked(Self.chunks, trailers: [Self.contentDigest: Self.good])
        let start = answer.head.count + answer.body.count - "Content-Digest: \(Self.good)\r\n\r\n".utf8.count
        for byteCount in [start, start + 5, start + 30, answer.head.count + answer.body.count - 1] {
            var configuration = Client.Configuration()
            configuration.digestChecking = .ifPresent
            let plan = ConnectionPlan.accept(toClient: [.cut(afterByteCount: byteCount)])
            let scene = ClientScene(plan: plan, configuration) { _ in answer }
            #expect(await Self.fault(scene) == .truncated(received: 11, expected: nil))
        }
    }

    // MARK: Other responses

    @Test func `parts are compared with the digest of the part alone`() async throws {
        let request = Request(url: testURL).header(.range, "bytes=0-10")
        let fields: HTTPFields = [
            .contentRange: "bytes 0-10/99", Self.contentDigest: Self.good, Self.reprDigest: Self.bad,
        ]
        let part = ScriptedResponse.response(.partialContent, fields: fields, body: "hello world")
        #expect(try await Self.text(Self.scene(.required, part), request) == "hello world")
        let whole = ScriptedResponse.response(fields: [Self.reprDigest: Self.bad], body: "hello world")
        let failure = Fault.digestFailed(.mismatch(algorithm: "sha-256", field: "Repr-Digest"))
        #expect(await Self.fault(Self.scene(whole)) == failure)
    }

    @Test func `what has no content needs no digest`() async throws {
        let head = try await Self.scene(.required, .response(fields: [Self.reprDigest: Self.bad], body: "hello world"))
            .client.data(for: Request(.head, "http://test/"))
        #expect(head.0.isEmpty)
        let empty = Self.scene(.required, .response(.noContent, fields: [Self.reprDigest: Self.bad]))
        #expect(try await empty.client.data(from: testURL).0.isEmpty)
    }

    @Test func `a redirect and a challenge need no digest to be answered, and one to be handed over`() async throws {
        var configuration = Client.Configuration()
        configuration.digestChecking = .required
        let scene = ClientScene(configuration) { request in
            switch (request.target, request.fields[.authorization]) {
            case ("/", _): .response(.found, fields: [.location: "/next"], body: "elsewhere")
            case (_, nil): .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"a\""], body: "who?")
            default: .response(fields: [Self.contentDigest: Self.good], body: "hello world")
            }
        }
        let request = Request(url: testURL).credential(Credential(user: "u", password: "p"))
        #expect(try await Self.text(scene, request) == "hello world")
        #expect(await Self.fault(scene, request.redirects(.never)) == Self.missing)
        #expect(await Self.fault(scene, Request(.get, "http://test/next")) == Self.missing)
    }

    @Test func `the digest is that of the content with its coding`() async throws {
        // "hello hello hello hello" as gzip.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40,
            0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
        ]
        let digest = "sha-256=:OlqVOpu5ODNoTnid297nG/cASSzuKiUsOyF2qAfSpWY=:"
        let fields: HTTPFields = [.contentEncoding: "gzip", Self.contentDigest: digest]
        let scene = Self.scene(.required, .response(fields: fields, bytes: gzip))
        #expect(try await Self.text(scene) == "hello hello hello hello")
        var damaged = gzip
        damaged[4] ^= 1  // the time, which decompression ignores
        #expect(await Self.fault(Self.scene(.required, .response(fields: fields, bytes: damaged))) == Self.mismatch)
    }

    // MARK: Each way to read

    @Test func `a file whose content is another never takes the place of one that is there`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        let answers: [ScriptedResponse] = [
            .response(fields: [Self.contentDigest: Self.bad], body: "hello world"),
            .chunked(Self.chunks, fields: [Self.contentDigest: Self.bad]),
            .chunked(Self.chunks, trailers: [Self.contentDigest: Self.bad]),
        ]
        for answer in answers {
            let scene = Self.scene(answer, bytesPerPiece: 7)
            let fault = await ClientTestSupport.fault { () async throws(ClientError) in
                try await scene.client.download(from: testURL, to: folder.file("file"))
            }
            #expect(fault == Self.mismatch)
            #expect(try folder.text(of: "file") == "old")
            #expect(try folder.names == ["file"])
        }
        let scene = Self.scene(.required, .chunked(Self.chunks, trailers: [Self.contentDigest: Self.good]))
        let (_, response) = try await scene.client.download(from: testURL, to: folder.file("file"))
        #expect(try folder.text(of: "file") == "hello world")
        #expect(response.trailers?[Self.contentDigest] == Self.good)
    }

    @Test func `a loop over the bytes throws at its end`() async throws {
        let scene = Self.scene(.chunked(Self.chunks, trailers: [Self.contentDigest: Self.bad]), bytesPerPiece: 3)
        var response: Response?
        var text = ""
        let fault = await ClientTestSupport.fault { () async throws(ClientError) in
            let (bytes, received) = try await scene.client.bytes(from: testURL)
            response = received
            for try await chunk in bytes.chunks { text += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(fault == Self.mismatch)
        // If all of the body has arrived with the head, the call itself throws.
        if let response {
            #expect(text == "hello world")
            #expect(response.trailers?[Self.contentDigest] == Self.bad)
        }
    }

    @Test func `a cache does not store what did not pass`() async throws {
        let answer = ScriptedResponse.chunked(
            Self.chunks,
            fields: [.cacheControl: "max-age=60"],
            trailers: [Self.contentDigest: Self.bad]
        )
        let scene = Self.scene(.ifPresent, answer, bytesPerPiece: 9) { $0.cache = MemoryCacheStore() }
        for _ in 0..<2 { #expect(await Self.fault(scene) == Self.mismatch) }
        #expect(scene.server.requests.count == 2)
    }

    @Test func `trailers are with the response of the network, and not with that of the cache`() async throws {
        let answer = ScriptedResponse.chunked(
            Self.chunks,
            fields: [.cacheControl: "max-age=60", .trailer: "Content-Digest"],
            trailers: [Self.contentDigest: Self.good]
        )
        let scene = Self.scene(.required, answer) { $0.cache = MemoryCacheStore() }
        let (_, first) = try await scene.client.data(from: testURL)
        #expect(first.trailers?[Self.contentDigest] == Self.good)
        let (data, second) = try await scene.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == "hello world")
        #expect(scene.server.requests.count == 1)
        #expect(second.trailers == nil)
        // RFC 9111 §3.1: "MUST NOT combine trailer fields with header fields".
        #expect(!second.fields.contains(Self.contentDigest) && !second.fields.contains(.trailer))
    }
}
