// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

@Suite("HTTP/2: servers of other projects", .hangLimit)
struct HTTP2ServerTests {
    @Test(arguments: HTTP2Server.Kind.allCases.filter { $0 != .nioClear })
    func `the server chooses HTTP/2 over TLS, unless the request does not`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient()
        let (hello, response) = try await client.data(for: server.get("/hello.txt"))
        #expect(hello == Data("hello\n".utf8))
        #expect(response.httpVersion == .http2)
        guard ![.nghttpd, .nio].contains(kind) else { return }  // they speak only HTTP/2
        let (again, old) = try await client.data(for: server.get("/hello.txt").httpVersion(.http1))
        #expect(again == hello)
        #expect(old.httpVersion == .http11)
    }

    @Test(arguments: HTTP2Server.Kind.allCases)
    func `a hundred calls share one connection`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient()
        _ = try await client.data(for: server.get("/hello.txt"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let (data, response) = try await client.data(for: server.get("/hello.txt"))
                    #expect(data == Data("hello\n".utf8))
                    #expect(response.isConnectionReused)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: HTTP2Server.Kind.allCases)
    func `large bodies arrive whole in both directions at the same time`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient()
        let sent = try Data.random(byteCount: 3_000_000)
        async let download = client.data(for: server.get("/large"))
        async let upload = server.upload(sent, by: client)
        let (content, response) = try await download
        try expectEqual(content, HTTP2Server.large)
        #expect(response.httpVersion == .http2)
        let (returned, answer) = try await upload
        expectEqual(returned, sent)
        #expect(answer.httpVersion == .http2)
    }

    @Test(arguments: HTTP2Server.Kind.allCases)
    func `a body of unknown length arrives whole`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient()
        let (method, path): (HTTPRequest.Method, String) = kind == .apache ? (.put, "/stream") : (.post, "/upload")
        let pieces = Pieces(count: 20, byteCount: 10_000)
        let (data, response) = try await client.upload(for: Request(method, server.url(path)), from: pieces)
        #expect(response.isSuccess)
        #expect(response.httpVersion == .http2)
        let arrived = kind == .apache ? try await client.data(for: server.get(path)).0 : data
        expectEqual(arrived, Data((0..<20).flatMap { [UInt8](repeating: $0, count: 10_000) }))
    }

    @Test(arguments: HTTP2Server.Kind.allCases)
    func `cancelled calls leave the connection to others`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient { $0.expectContinueThreshold = nil }
        _ = try await client.data(for: server.get("/hello.txt"))
        let sent = try Data.random(byteCount: 3_000_000)
        for _ in 0..<5 {
            let witness = Witness()
            let download = Task {
                await fault { () async throws(ClientError) in
                    for try await _ in try await client.bytes(for: server.get("/large"), delegate: witness).0.chunks {
                        await Self.forever()
                    }
                }
            }
            let upload = Task {
                await fault { () async throws(ClientError) in
                    let request = Request(.put, server.url("/upload"))
                    _ = try await client.upload(for: request, from: sent, delegate: witness)
                }
            }
            await witness.received.wait()
            await witness.sent.wait()
            download.cancel()
            upload.cancel()
            // Each may have been complete.
            #expect([nil, .cancelled].contains(await download.value))
            #expect([nil, .cancelled].contains(await upload.value))
        }
        let (hello, response) = try await client.data(for: server.get("/hello.txt"))
        #expect(hello == Data("hello\n".utf8))
        #expect(response.isConnectionReused)
    }

    /// Waits until the task is cancelled.
    private static func forever() async { try? await Task.sleep(for: .patient) }

    @Test(arguments: HTTP2Server.Kind.allCases)
    func `a body that is not read does not hold up other calls`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let client = server.makeClient()
        let (bytes, _) = try await client.bytes(for: server.get("/large"))
        for _ in 0..<10 {
            let (hello, response) = try await client.data(for: server.get("/hello.txt"))
            #expect(hello.count == 6)
            #expect(response.isConnectionReused)
        }
        var content = Data()
        for try await chunk in bytes.chunks { content += chunk }
        try expectEqual(content, HTTP2Server.large)
    }

    @Test(arguments: HTTP2Server.Kind.allCases.filter { $0.trailersPath != nil })
    func `trailers arrive after the body`(_ kind: HTTP2Server.Kind) async throws {
        let server = try await HTTP2Server.shared(kind)
        let request = server.get(try #require(kind.trailersPath)).header("TE", "trailers")
        let (hello, response) = try await server.makeClient().data(for: request)
        #expect(hello == Data("hello\n".utf8))
        #expect(response.trailers?[try #require(HTTPField.Name("tern-trailer"))] == "flies")
    }
}
