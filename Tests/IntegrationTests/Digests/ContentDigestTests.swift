// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests RFC 9530 over sockets, against a server that computes digests with Python's `hashlib`; see
/// `digest_scripts.py`.
@Suite("Digests of contents", .hangLimit)
struct ContentDigestTests {
    private static let plain = (0..<20_000).map { "line \($0) of some text that can be compressed\n" }.joined()

    @Test(arguments: [Scheme.http, .https], ["head", "trailer"])
    func `content is compared with its digest, wherever that stands`(_ scheme: Scheme, _ place: String) async throws {
        let server = try await RawServer(scheme)
        let client = server.makeClient()
        for algorithm in ["sha-256", "sha-512"] {
            let request = server.get("/content-digest").query("in", place).query("by", algorithm).digestChecking(
                .required
            )
            let (data, response) = try await client.data(for: request.query("of", "coded"))
            expectEqual(data, Data(Self.plain.utf8))
            #expect((response.trailers == nil) == (place == "head"))
            let fault = await fault { () async throws(ClientError) in
                try await client.data(for: request.query("of", "plain"))
            }
            #expect(fault == .digestFailed(.mismatch(algorithm: algorithm, field: "Content-Digest")))
        }
    }

    @Test func `a download that does not match leaves no file`() async throws {
        let folder = try TemporaryFolder()
        let server = try await RawServer.shared
        for place in ["head", "trailer"] {
            let request = server.get("/content-digest").query("in", place).query("by", "sha-256").digestChecking(
                .ifPresent
            )
            _ = try await Client(configuration: .patient).download(
                for: request.query("of", "coded"),
                to: folder.file("right")
            )
            let fault = await fault { () async throws(ClientError) in
                try await Client(configuration: .patient).download(
                    for: request.query("of", "plain"),
                    to: folder.file("wrong")
                )
            }
            #expect(fault == .digestFailed(.mismatch(algorithm: "sha-256", field: "Content-Digest")))
            #expect(try folder.names == ["right"])
            expectEqual(try folder.text(of: "right"), Self.plain)
        }
    }

    @Test func `a response that ends in its trailers is truncated`() async throws {
        let server = try await RawServer.shared
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).data(
                for: server.get("/content-digest-cut").digestChecking(.required)
            )
        }
        #expect(fault == .truncated(received: 4, expected: nil))
    }

    @Test(arguments: [Scheme.http, .https], HashAlgorithm.allCases)
    func `the server finds each body unchanged`(_ scheme: Scheme, _ algorithm: HashAlgorithm) async throws {
        let server = try await RawServer(scheme)
        let client = server.makeClient()
        let folder = try TemporaryFolder()
        try folder.write(Self.plain, to: "file")
        let count = Self.plain.utf8.count
        var request = Request(.post, server.url("/content-digest-upload")).contentDigest(algorithm)
        request.options.expectsContinue = false
        let inHead = try await client.string(for: request.body(data: Data(Self.plain.utf8)))
        #expect(inHead == "\(count) head True announced None")
        let behind = try await client.string(for: request.body(file: folder.file("file")))
        #expect(behind == "\(count) trailer True announced Content-Digest")
        let (body, writer) = RequestBody.makeWriter()
        let written = request.body(body)
        async let reply = client.string(for: written)
        for line in Self.plain.split(separator: "\n") { try await writer.write("\(line)\n".utf8) }
        writer.finish()
        #expect(try await reply == behind)
        let compressed = try await client.string(for: request.body(file: folder.file("file")).compressed())
        #expect(compressed.hasSuffix(" trailer True announced Content-Digest") && compressed != behind)
    }

    @Test(arguments: Scheme.allCases)
    func `nginx takes a file with its digest behind it`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let path = "/uploads/\(UUID().uuidString)"
        let request = Request(.put, nginx.url(scheme, path)).body(file: nginx.folder.appending(path: "files/photo"))
        let (_, response) = try await nginx.makeClient().data(for: request.contentDigest())
        #expect(response.status == .created)
        try expectEqual(nginx.content(path), nginx.content("/photo"))
    }
}
