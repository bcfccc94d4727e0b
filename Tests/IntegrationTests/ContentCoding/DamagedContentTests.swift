// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Content codings that are wrong", .hangLimit)
struct DamagedContentTests {
    @Test(arguments: ["cut", "cut-in-trailer", "cut-in-header", "cut-deflate"], Verb.allCases)
    func `content that ends early is truncated`(_ name: String, _ verb: Verb) async throws {
        let server = try await RawServer.shared
        let error = await failure { () async throws(ClientError) in try await verb.fetch(server.get("/coded-\(name)")) }
        guard case .truncated(let received, expected: nil)? = error?.fault else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(received < CodedContent.plain.count || name == "cut-in-trailer")
        #expect(error?.context.phase == .body)
        #expect(error?.status == .ok)
    }

    @Test(
        arguments: [
            "bad-check", "bad-length", "bad-data", "bad-deflate-check", "no-gzip", "rest", "four-times",
        ],
        Verb.allCases
    )
    func `content that is not what it says breaks the protocol`(_ name: String, _ verb: Verb) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let error = await failure { () async throws(ClientError) in
            try await verb.fetch(server.get("/coded-\(name)"), client)
        }
        guard case .protocolViolation? = error?.fault else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.context.phase == .body)
        #expect(error?.context.origin == server.origin)
        #expect(error?.status == .ok)
        let (data, _) = try await client.data(for: server.get("/fine"))
        #expect(data == Data("fine".utf8))
    }

    @Test(arguments: ["bomb", "bomb-in-bomb"], Verb.allCases)
    func `a bomb is stopped`(_ name: String, _ verb: Verb) async throws {
        let server = try await RawServer.shared
        let fault = await fault { () async throws(ClientError) in try await verb.fetch(server.get("/coded-\(name)")) }
        #expect(fault == .protocolViolation("RFC 9110 §17.5"))
    }

    @Test func `a bomb may be let in`() async throws {
        let server = try await RawServer.shared
        var configuration = Client.Configuration.patient
        configuration.inflationLimits = InflationLimits(maximumRatio: nil)
        let (data, _) = try await Client(configuration: configuration).data(for: server.get("/coded-bomb"))
        expectEqual(data, Data(count: 64 << 20))
    }

    @Test(arguments: Verb.allCases)
    func `no more comes out than is allowed`(_ verb: Verb) async throws {
        let server = try await RawServer.shared
        let byteCount = CodedContent.plain.count
        for limit in [byteCount - 1, byteCount] {
            var configuration = Client.Configuration.patient
            configuration.inflationLimits = InflationLimits(maximumByteCount: Int64(limit))
            let client = Client(configuration: configuration)
            let fault = await fault { () async throws(ClientError) in
                try await verb.fetch(server.get("/coded-gzip"), client)
            }
            #expect(fault == (limit == byteCount ? nil : .bodyTooLarge))
        }
    }

    @Test func `no more is kept in memory than is allowed`() async throws {
        let server = try await RawServer.shared
        let byteCount = CodedContent.plain.count
        for limit in [byteCount - 1, byteCount] {
            var configuration = Client.Configuration.patient
            configuration.maximumBodyByteCount = limit
            let client = Client(configuration: configuration)
            let fault = await fault { () async throws(ClientError) in
                try await client.data(for: server.get("/coded-gzip"))
            }
            #expect(fault == (limit == byteCount ? nil : .bodyTooLarge))
        }
    }

    @Test func `a download that is damaged leaves no file`() async throws {
        let server = try await RawServer.shared
        let folder = try TemporaryFolder()
        for name in ["cut", "bad-check", "bomb"] {
            let fault = await fault { () async throws(ClientError) in
                try await Client(configuration: .patient).download(
                    for: server.get("/coded-\(name)"),
                    to: folder.file("file")
                )
            }
            #expect(fault != nil)
            #expect(try folder.names == [])
        }
    }

    @Test func `content that is left in the middle leaves no connection`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        for try await _ in try await client.bytes(for: server.get("/coded-stall")).0.chunks { break }
        try await server.isLeft()
    }
}
