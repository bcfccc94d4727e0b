// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Adversity: responses with invalid syntax or framing", .hangLimit)
struct FramingTests {
    static let heads: [AdversityCase] = [
        .init("/banner", .protocolViolation("RFC 9112 §4"), .head),
        .init("/noise", .protocolViolation("RFC 9112 §4"), .head),
        .init("/http2", .protocolViolation("RFC 9112 §4"), .head),
        .init("/version", .protocolViolation("RFC 9112 §2.3"), .head),
        .init("/status", .protocolViolation("RFC 9112 §4"), .head),
        .init("/nul", .protocolViolation("RFC 9110 §5.5"), .head),
        .init("/bare-cr", .protocolViolation("RFC 9112 §2.2"), .head),
        .init("/no-colon", .protocolViolation("RFC 9112 §5"), .head),
        .init("/folded-length", .protocolViolation("RFC 9112 §5.2"), .head),
        .init("/space-in-length", .protocolViolation("RFC 9112 §5.1"), .head),
        .init("/space-before-length", .protocolViolation("RFC 9112 §5.1"), .head),
        .init("/long-fields", .protocolViolation("RFC 9110 §5.4"), .head),
        .init("/many-fields", .protocolViolation("RFC 9110 §5.4"), .head),
        .init("/endless-head", .protocolViolation("RFC 9110 §5.4"), .head),
        .init("/endless-hints", .protocolViolation("RFC 9110 §15.2"), .head),
        .init("/upgrade", .protocolViolation("RFC 9110 §15.2.2"), .head),
    ]

    static let framings: [AdversityCase] = [
        .init("/two-lengths", .protocolViolation("RFC 9112 §6.3"), .head),
        .init("/negative-length", .protocolViolation("RFC 9112 §6.3"), .head),
        .init("/unknown-coding", .protocolViolation("RFC 9112 §6.1"), .head),
        .init("/gzip-after-chunked", .protocolViolation("RFC 9112 §6.1"), .head),
        .init("/no-gzip-to-the-end", .protocolViolation("RFC 9110 §8.4.1"), .body, status: 200),
        .init("/chunked-twice-and-gzip", .protocolViolation("RFC 9112 §6.1"), .head),
        .init("/endless-extensions", .protocolViolation("RFC 9112 §7.1.1"), .body, status: 200),
        .init("/bad-chunk-size", .protocolViolation("RFC 9112 §7.1"), .body, status: 200),
        .init("/huge-chunk-size", .protocolViolation("RFC 9112 §7.1"), .body, status: 200),
        .init("/short-chunk", .protocolViolation("RFC 9112 §7.1"), .body, status: 200),
        .init("/long-chunk", .protocolViolation("RFC 9112 §7.1"), .body, status: 200),
        .init("/endless-chunk-line", .protocolViolation("RFC 9112 §7.1.1"), .body, status: 200),
        .init("/endless-trailers", .protocolViolation("RFC 9110 §5.4"), .body, status: 200),
    ]

    @Test(arguments: heads)
    func `a head that is none is an error`(_ adversity: AdversityCase) async throws { try await adversity.check() }

    @Test(arguments: framings)
    func `a body without a certain end is an error`(_ adversity: AdversityCase) async throws {
        try await adversity.check()
    }

    @Test(arguments: ["/longer-than-announced", "/two-answers"])
    func `what nobody asked for is not taken for the next answer`(_ path: String) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        for _ in 0..<3 {
            let (data, response) = try await client.data(for: server.get(path))
            #expect(data == Data("fine".utf8))
            #expect(!response.isConnectionReused)
        }
        try await server.isLeft()
    }

    @Test(
        arguments: [
            ("/hints", "fine", true), ("/until-close", "all of it", false), ("/half-close", "fine", false),
            ("/bare-lf", "fine", false), ("/folded", "fine", false),
            ("/two-words", "fine", false), ("/space-before-colon", "fine", false),
            ("/control-character", "fine", false), ("/equal-lengths", "fine", false),
            ("/both-framings", "four", false), ("/chunked-twice", "four", false), ("/chunked-http10", "four", false),
            ("/connection-close", "fine", false), ("/gzip-to-the-end", "four", false), ("/http10", "old", false),
            ("/no-reason", "fine", true),
        ]
    )
    func `what is unusual, but right, is taken`(_ path: String, _ body: String, _ keepsConnection: Bool) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        for isReused in [false, keepsConnection] {
            let (data, response) = try await client.data(for: server.get(path))
            expectEqual(String(decoding: data, as: UTF8.self), body)
            #expect(response.statusCode == 200)
            #expect(response.isConnectionReused == isReused)
        }
        if !keepsConnection { try await server.isLeft() }
    }

    @Test func `a body past the limit is an error, however it is framed`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.maximumBodyByteCount = 1000
        let client = Client(configuration: configuration)
        for request in [server.get("/flood").query("bytes", 1_000_000), server.get("/drip-for-ever")] {
            let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
            #expect(fault == .bodyTooLarge)
            try await server.isLeft()
        }
    }

    @Test func `a line past the limit is an error`() async throws {
        let server = try await RawServer()
        var configuration = Client.Configuration.patient
        configuration.maximumLineByteCount = 1000
        let client = Client(configuration: configuration)
        let fault = await fault { () async throws(ClientError) in
            for try await _ in try await client.bytes(for: server.get("/drip-for-ever")).0.lines {}
            return ()
        }
        #expect(fault == .lineTooLong)
        try await server.isLeft()
    }
}
