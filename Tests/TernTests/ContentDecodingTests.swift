// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Content codings", .hangLimit)
struct ContentDecodingTests {
    /// The text "hello hello hello hello" as gzip, from another implementation.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40,
        0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
    ]
    private static let text = "hello hello hello hello"

    private static func scene(
        _ coding: String,
        _ body: [UInt8] = gzip,
        _ configuration: Client.Configuration = Client.Configuration()
    ) -> ClientScene {
        ClientScene(configuration) { _ in
            .response(fields: [.contentEncoding: coding], bytes: body)
        }
    }

    @Test(arguments: ["gzip", "GZIP", "x-gzip", "identity, gzip"])
    func `every verb gives what was compressed`(coding: String) async throws {
        let client = Self.scene(coding).client
        let (data, response) = try await client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
        #expect(response.receivedFields[.contentEncoding] == coding)
        let (location, _) = try await client.download(from: testURL)
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(try String(contentsOf: location, encoding: .utf8) == Self.text)
        let (bytes, _) = try await client.bytes(from: testURL)
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == [Self.text])
    }

    @Test func `the client asks for what it can undo, unless the request says otherwise`() async throws {
        let scene = Self.scene("gzip")
        let plain = try await scene.client.data(from: testURL).0
        #expect(plain.count == Self.text.utf8.count)
        let own = try await scene.client.data(for: Request(.get, "http://test/").header(.acceptEncoding, "gzip")).0
        #expect(Array(own) == Self.gzip)
        let range = try await scene.client.data(for: Request(.get, "http://test/").header(.range, "bytes=0-")).0
        #expect(Array(range) == Self.gzip)
        var wanted = Request(.get, "http://test/").header(.acceptEncoding, "gzip")
        wanted.options.decodesContent = true
        #expect(try await scene.client.data(for: wanted).0.count == Self.text.utf8.count)
        let accepted = scene.server.requests.map { $0.fields[.acceptEncoding] }
        #expect(accepted == ["gzip, deflate", "gzip", nil, "gzip"])
    }

    @Test func `a client can be told to leave content as it is`() async throws {
        var configuration = Client.Configuration()
        configuration.decodesContent = false
        let scene = Self.scene("gzip", Self.gzip, configuration)
        #expect(Array(try await scene.client.data(from: testURL).0) == Self.gzip)
        #expect(scene.server.requests[0].fields[.acceptEncoding] == nil)
    }

    @Test func `what lies beneath a coding that is not known stays as it is`() async throws {
        #expect(Array(try await Self.scene("br").client.data(from: testURL).0) == Self.gzip)
        let both = try await Self.scene("br, gzip").client.data(from: testURL).0
        #expect(String(decoding: both, as: UTF8.self) == Self.text)
        #expect(Array(try await Self.scene("gzip, br").client.data(from: testURL).0) == Self.gzip)
    }

    @Test(
        arguments: [
            ("gzip", nil), ("br, gzip", "br"), ("br, x-gzip, identity", "br"), ("br", "br"), ("identity", "identity"),
            ("gzip, br", "gzip, br"),
        ] as [(String, String?)]
    )
    func `the fields fit the body that the caller holds`(coding: String, remaining: String?) async throws {
        let digest = try #require(HTTPField.Name("Content-Digest"))
        let scene = ClientScene { _ in
            .response(
                fields: [.contentEncoding: coding, .contentType: "text/plain", .eTag: "\"a\"", digest: "md5=:AA==:"],
                bytes: Self.gzip
            )
        }
        var seen: [Response] = [try await scene.client.data(from: testURL).1]
        seen.append(try await scene.client.bytes(from: testURL).1)
        let refused = await #expect(throws: ClientError.self) {
            try await scene.client.data(for: Request(url: testURL).validate(.custom("none") { _ in false }))
        }
        let isDecoded = remaining != coding
        for var response in seen {
            #expect(response[.contentEncoding] == remaining && response.fields[.contentEncoding] == remaining)
            #expect(response.contentLength == (isDecoded ? nil : Int64(Self.gzip.count)))
            #expect(response.fields.contains(.contentLength) == !isDecoded)
            #expect(response.fields.contains(digest) == !isDecoded && (response[digest] == nil) == isDecoded)
            #expect(response[.contentType] == "text/plain" && response[.eTag] == "\"a\"")
            #expect(response.receivedFields[.contentEncoding] == coding)
            #expect(response.receivedFields[.contentLength] == "\(Self.gzip.count)")
            response.status = .accepted
            #expect(response[.contentEncoding] == remaining && response.receivedFields.contains(.contentLength))
            response.fields[.contentLength] = "23"
            #expect(response.contentLength == 23 && response[.contentEncoding] == remaining)
        }
        #expect(refused?.context.response?.headerFields[.contentEncoding] == remaining)
    }

    @Test func `three lines of a proxy forward what they received`() async throws {
        let scene = Self.scene("gzip")
        var configuration = Client.Configuration()
        configuration.decodesContent = true
        let proxy = ClientScene(configuration) { request in
            let (data, response) = try await scene.client.data(for: Request(request.method, testURL))
            return .response(response.status, fields: response.fields, bytes: Array(data))
        }
        let (data, response) = try await proxy.client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
        #expect(response.contentLength == Int64(Self.text.utf8.count) && response[.contentEncoding] == nil)
    }

    private static func failure(_ scene: ClientScene) async -> ClientError? {
        await #expect(throws: ClientError.self) { try await scene.client.data(from: testURL) }
    }

    @Test(arguments: 1..<28)
    func `a stream that was cut is truncated`(byteCount: Int) async throws {
        guard case .truncated? = await Self.failure(Self.scene("gzip", Array(Self.gzip.prefix(byteCount)))) else {
            Issue.record("not truncated")
            return
        }
    }

    @Test func `what is no gzip is a violation, and so are too many codings`() async throws {
        for (coding, body) in [("gzip", Array("no gzip".utf8)), ("gzip, gzip, gzip, gzip", Self.gzip)] {
            guard case .protocolViolation? = await Self.failure(Self.scene(coding, body)) else {
                Issue.record("\(coding)")
                continue
            }
        }
    }

    @Test func `no content at all is no content`() async throws {
        #expect(try await Self.scene("gzip", []).client.data(from: testURL).0.isEmpty)
    }

    @Test func `the limits hold while decoding`() async throws {
        var configuration = Client.Configuration()
        configuration.inflationLimits.maximumByteCount = 10
        guard case .bodyTooLarge(limit: 10, _)? = await Self.failure(Self.scene("gzip", Self.gzip, configuration))
        else {
            Issue.record("no limit")
            return
        }
        configuration = Client.Configuration()
        configuration.maximumBodyByteCount = 10
        guard case .bodyTooLarge(limit: 10, _)? = await Self.failure(Self.scene("gzip", Self.gzip, configuration))
        else {
            Issue.record("no limit")
            return
        }
    }

    @Test func `a body that drips is given as it drips, and leaving it closes the connection`() async throws {
        let server = ScriptedServer { _ in .response(fields: [.contentEncoding: "gzip"], bytes: Self.gzip) }
        let plan = ConnectionPlan.accept(toClient: [.drip(bytesPerPiece: 1)])
        let scene = ClientScene(server, plan: plan)
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var first: [UInt8] = []
        for try await byte in bytes {
            first.append(byte)
            if first.count == 3 { break }
        }
        #expect(String(decoding: first, as: UTF8.self) == "hel")
        let whole = try await scene.client.data(from: testURL).0
        #expect(String(decoding: whole, as: UTF8.self) == Self.text)
    }
}
