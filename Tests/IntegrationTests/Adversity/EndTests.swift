// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Adversity: the connection ends", .hangLimit)
struct EndTests {
    static let closes: [AdversityCase] = [
        .init("/close-before-head", .connectionLost(.closed), .head),
        .init("/close-in-head", .connectionLost(.closed), .head),
        .init("/close-after-hints", .connectionLost(.closed), .head),
        .init("/reset-before-head", .connectionLost(.reset), .head),
        .init("/reset-in-head", .connectionLost(.reset), .head),
        .init("/close-in-body", .truncated(received: 4, expected: 10), .body, status: 200),
        .init("/close-in-chunk", .truncated(received: 4, expected: nil), .body, status: 200),
        .init("/close-after-chunk", .truncated(received: 4, expected: nil), .body, status: 200),
        .init("/close-in-trailers", .truncated(received: 4, expected: nil), .body, status: 200),
    ]

    @Test(arguments: closes)
    func `an early end is an error`(_ adversity: AdversityCase) async throws { try await adversity.check() }

    @Test(
        arguments: [
            AdversityCase("/reset-in-body", .truncated(received: 4, expected: 10), .body, status: 200),
            AdversityCase("/reset-in-chunk", .truncated(received: 4, expected: nil), .body, status: 200),
            AdversityCase("/reset-until-close", .truncated(received: 4, expected: nil), .body, status: 200),
        ]
    )
    func `a reset in the body is an error, after what had arrived`(_ adversity: AdversityCase) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        let request = server.get(adversity.path).query("gate", "\(server.port)")
        let (bytes, _) = try await client.bytes(for: request)
        var chunks = bytes.chunks.makeAsyncIterator()
        #expect(try await chunks.next() == Data("four".utf8))
        try await server.open(gate: "\(server.port)")
        let error = await failure { () async throws(ClientError) in try await chunks.next() }
        #expect(error?.fault == adversity.fault)
        #expect(error?.context.phase == adversity.phase)
        #expect(error?.status?.code == adversity.status)
        try await server.isLeft()
    }

    @Test func `a download that is cut leaves no file`() async throws {
        let server = try await RawServer()
        let folder = try TemporaryFolder()
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).download(
                for: server.get("/close-in-body"),
                to: folder.file("file")
            )
        }
        #expect(fault == .truncated(received: 4, expected: 10))
        #expect(try folder.names == [])
        try await server.isLeft()
    }

    @Test func `a request on a connection that the server closes at that moment goes out again`() async throws {
        for path in ["/stale-close", "/stale-reset"] {
            let server = try await RawServer()
            let client = Client(configuration: .patient)
            for _ in 0..<4 {
                let (data, response) = try await client.data(for: server.get(path))
                #expect(data == Data("fine".utf8))
                #expect(!response.isConnectionReused)
            }
        }
    }

    @Test(arguments: [("/stale-close", ConnectionFailure.closed), ("/stale-reset", .reset)])
    func `a request that must not be repeated is not`(_ path: String, _ loss: ConnectionFailure) async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        _ = try await client.data(for: server.get(path))
        let fault = await fault { () async throws(ClientError) in
            try await client.upload(for: Request(.post, server.url(path)), from: Data("order".utf8))
        }
        #expect(fault == .connectionLost(loss))
        try await server.isLeft()
    }
}
