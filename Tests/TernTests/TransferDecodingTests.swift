// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Transfer codings of responses", .hangLimit, .http1Only("HTTP/2 has no transfer codings"))
struct TransferDecodingTests {
    private static let text = "hello hello hello hello"
    /// The text as gzip, as zlib, and the latter once more as gzip, from another implementation.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40,
        0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
    ]
    private static let zlib: [UInt8] = [
        0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27, 0x01, 0x68, 0x03, 0x08, 0xB1,
    ]
    private static let both: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x98, 0x73, 0xDA, 0xE3, 0xEC, 0xC9, 0x93,
        0xE1, 0x27, 0x1C, 0xD4, 0x19, 0x33, 0x98, 0x39, 0x36, 0x02, 0x00, 0x96, 0x5F, 0x3E, 0xA1, 0x10, 0x00, 0x00,
        0x00,
    ]
    /// 4 MiB of zeros as gzip, and once more as gzip.
    private static let bomb: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x93, 0xEF, 0xE6, 0x60, 0x00, 0x01, 0x26, 0xE6,
        0xB7, 0x07, 0x19, 0x19, 0x81, 0x8C, 0x26, 0x85, 0xFF, 0xEB, 0xF3, 0x3C, 0x1C, 0x18, 0x19, 0x46, 0xC1, 0x28,
        0x18, 0x05, 0xA3, 0x60, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x28, 0x18, 0x05, 0xA3, 0x60, 0x14,
        0x8C, 0x82, 0x51, 0x30, 0xD4, 0x41, 0x8D, 0x74, 0x96, 0x83, 0xBB, 0x20, 0x03, 0x83, 0x03, 0x03, 0x00, 0x59,
        0x64, 0x14, 0x5B, 0x02, 0x10, 0x00, 0x00,
    ]

    /// Returns a response with transfer codings: in chunks of 7 bytes if the last coding is `chunked`, otherwise up to
    /// the end of the connection.
    private static func answer(
        _ codings: String,
        _ body: [UInt8] = gzip,
        _ fields: String = "",
        status: String = "200 OK"
    ) -> ScriptedResponse {
        let head = Array("HTTP/1.1 \(status)\r\nTransfer-Encoding: \(codings)\r\n\(fields)\r\n".utf8)
        guard codings.lowercased().hasSuffix("chunked") else {
            return ScriptedResponse(head: head, body: body, ending: .close)
        }
        var chunks: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: 7) {
            let chunk = body[start..<min(start + 7, body.count)]
            chunks += Array("\(chunk.count)\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        return ScriptedResponse(head: head, body: chunks + Array("0\r\nX-Trailer: 1\r\n\r\n".utf8))
    }

    private static func scene(
        _ answer: ScriptedResponse,
        _ configuration: Client.Configuration = Client.Configuration()
    ) -> ClientScene {
        ClientScene(configuration) { _ in answer }
    }

    private static func failure(_ scene: ClientScene) async -> ClientError? {
        await #expect(throws: ClientError.self) { try await scene.client.data(from: testURL) }
    }

    @Test(
        arguments: [
            ("gzip, chunked", gzip, "chunked"), ("x-gzip , Chunked", gzip, "chunked"), ("GZIP", gzip, nil),
            ("deflate,chunked", zlib, "chunked"), ("deflate", zlib, nil), ("deflate, gzip, chunked", both, "chunked"),
            ("identity, deflate\r\nTransfer-Encoding: gzip", both, nil),
        ] as [(String, [UInt8], String?)]
    )
    func `the caller gets the content`(_ codings: String, _ body: [UInt8], _ remaining: String?) async throws {
        let scene = Self.scene(Self.answer(codings, body))
        for _ in 0..<2 {
            let (data, response) = try await scene.client.data(from: testURL)
            #expect(String(decoding: data, as: UTF8.self) == Self.text)
            #expect(response.fields[.transferEncoding] == remaining && response[.transferEncoding] == remaining)
            #expect(response.receivedFields[.transferEncoding] != remaining)
            #expect(!response.isConnectionReused)
        }
        let (bytes, response) = try await scene.client.bytes(from: testURL)
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == [Self.text])
        if remaining != nil { #expect(response.trailers?[HTTPField.Name("X-Trailer") ?? .cookie] == "1") }
        #expect(scene.server.requests.allSatisfy { $0.fields[.te] == nil })
    }

    @Test func `the rest of the fields stay, and an interceptor may change them`() async throws {
        let scene = Self.scene(Self.answer("gzip, chunked", Self.gzip, "ETag: \"a\"\r\nContent-Length: 5\r\n"))
        var response = try await scene.client.data(from: testURL).1
        #expect(response[.eTag] == "\"a\"" && response.contentLength == nil)
        response.status = .accepted
        #expect(response[.transferEncoding] == "chunked")
        #expect(response.receivedFields[.transferEncoding] == "gzip, chunked")
        response.fields[.contentLength] = "23"
        response.fields[.transferEncoding] = nil
        #expect(response.contentLength == 23 && response.receivedFields[.transferEncoding] == nil)
    }

    @Test func `a client that leaves content as it is decodes transfer codings`() async throws {
        var configuration = Client.Configuration()
        configuration.decodesContent = false
        let plain = try await Self.scene(Self.answer("gzip, chunked"), configuration).client.data(from: testURL).0
        #expect(String(decoding: plain, as: UTF8.self) == Self.text)
        let coded = Self.answer("gzip, chunked", Self.both, "Content-Encoding: deflate\r\n")
        #expect(Array(try await Self.scene(coded, configuration).client.data(from: testURL).0) == Self.zlib)
        let (data, response) = try await Self.scene(coded).client.data(from: testURL)
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
        #expect(response[.contentEncoding] == nil && response[.transferEncoding] == "chunked")
    }

    @Test func `a part of a representation is decoded, and no content is none`() async throws {
        let part = Self.answer("gzip, chunked", Self.gzip, "Content-Range: bytes 0-22/99\r\n", status: "206 x")
        let request = Request(url: testURL).header(.range, "bytes=0-22")
        let data = try await Self.scene(part).client.data(for: request).0
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
        #expect(try await Self.scene(Self.answer("gzip, chunked", [])).client.data(from: testURL).0.isEmpty)
        let head = Self.scene(Self.answer("gzip, chunked"))
        #expect(try await head.client.data(for: Request(.head, "http://test/")).0.isEmpty)
    }

    @Test func `digests, the cache and the metrics see the content`() async throws {
        var configuration = Client.Configuration()
        configuration.digestChecking = .required
        configuration.cache = MemoryCacheStore()
        configuration.collectsMetrics = true
        let fields =
            "Content-Digest: sha-256=:6sE9x42j95hYRAAR5NtBB+kwExRRHm0AczILFMU1uCQ=:\r\nCache-Control: max-age=60\r\n"
        let scene = Self.scene(Self.answer("gzip, chunked", Self.gzip, fields), configuration)
        for number in 0..<2 {
            let (data, response) = try await scene.client.data(from: testURL)
            #expect(String(decoding: data, as: UTF8.self) == Self.text)
            #expect((response.cacheStatus == .network) == (number == 0))
            if number == 0 { #expect(response.metrics?.transactions.first?.received.content == 23) }
        }
        #expect(scene.server.requests.count == 1)
    }

    @Test(arguments: 1..<28)
    func `a stream that was cut is truncated`(byteCount: Int) async throws {
        for coding in ["gzip, chunked", "gzip"] {
            let scene = Self.scene(Self.answer(coding, Array(Self.gzip.prefix(byteCount))))
            guard case .truncated? = await Self.failure(scene) else {
                Issue.record("not truncated")
                continue
            }
        }
    }

    @Test(arguments: 1..<90)
    func `pieces change nothing`(byteCount: Int) async throws {
        let plan = ConnectionPlan.accept(toClient: [.drip(bytesPerPiece: byteCount)])
        let scene = ClientScene(plan: plan) { _ in Self.answer("deflate, gzip, chunked", Self.both) }
        let data = try await scene.client.data(from: testURL).0
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
    }

    @Test(arguments: ["no gzip at all", ""])
    func `what is no gzip is the error of a content coding`(rest: String) async throws {
        let body = rest.isEmpty ? Self.gzip + Array("more".utf8) : Array(rest.utf8)
        let ofTransfer = await Self.failure(Self.scene(Self.answer("gzip, chunked", body)))
        let ofContent = await Self.failure(
            Self.scene(Self.answer("chunked", body, "Content-Encoding: gzip\r\n"))
        )
        #expect(ofTransfer?.ending == ofContent?.ending && ofTransfer != nil)
    }

    @Test func `the limits of decompression hold`() async throws {
        guard
            case .protocolViolation(section: "RFC 9110 §17.5", _, _)? = await Self.failure(
                Self.scene(Self.answer("gzip, gzip, chunked", Self.bomb))
            )
        else {
            Issue.record("no limit")
            return
        }
        var configuration = Client.Configuration()
        configuration.decodesContent = false
        configuration.inflationLimits.maximumByteCount = 10
        guard
            case .bodyTooLarge(limit: 10, _)? = await Self.failure(
                Self.scene(Self.answer("gzip, chunked"), configuration)
            )
        else {
            Issue.record("no limit")
            return
        }
    }

    @Test(
        arguments: [
            ("gzip, gzip, gzip, gzip, chunked", "", "RFC 9112 §6.1"),
            ("gzip, chunked", "gzip, gzip, gzip", "RFC 9110 §8.4"),
        ]
    )
    func `too many codings are a violation, those of the content included`(
        _ transfer: String,
        _ content: String,
        _ section: String
    ) async throws {
        let fields = content.isEmpty ? "" : "Content-Encoding: \(content)\r\n"
        guard
            case .protocolViolation(section: section, _, _)? = await Self.failure(
                Self.scene(Self.answer(transfer, Self.gzip, fields))
            )
        else {
            Issue.record("\(transfer), \(content)")
            return
        }
    }

    @Test(arguments: ["x-squeeze, chunked", "br, chunked", "compress", "chunked, gzip"])
    func `an unknown coding is refused, as is one after chunked`(codings: String) async throws {
        guard
            case .protocolViolation(section: "RFC 9112 §6.1", _, _)? = await Self.failure(
                Self.scene(Self.answer(codings))
            )
        else {
            Issue.record("\(codings)")
            return
        }
    }

    @Test func `an answer that nobody reads may be coded`() async throws {
        let scene = ClientScene { request in
            request.target == "/"
                ? Self.answer("gzip, chunked", Self.gzip, "Location: /2\r\n", status: "302 Found")
                : .response(body: "here")
        }
        #expect(try await scene.client.string(from: testURL) == "here")
    }
}
