// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("nginx: HTTP/2", .hangLimit)
struct NginxHTTP2Tests {
    private func version(_ client: Client, _ request: Request) async throws -> (String, HTTPVersion?) {
        let (data, response) = try await client.data(for: request)
        return (String(decoding: data, as: UTF8.self), response.httpVersion)
    }

    @Test func `the server chooses the version, unless the client or the request does`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let request = Request(.get, nginx.url(.https, .http2, "/version"))
        #expect(try await self.version(client, request) == ("HTTP/2.0", .http2))
        #expect(try await self.version(client, request.httpVersion(.http1)) == ("HTTP/1.1", .http11))
        let old = nginx.makeClient { $0.httpVersion = .http1 }
        #expect(try await self.version(old, request) == ("HTTP/1.1", .http11))
        #expect(try await self.version(old, request.httpVersion(.automatic)) == ("HTTP/2.0", .http2))
        let clear = Request(.get, nginx.url(.http, .http2Clear, "/version")).httpVersion(.http2PriorKnowledge)
        #expect(try await self.version(client, clear) == ("HTTP/2.0", .http2))
    }

    @Test func `many calls share one connection`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.collectsMetrics = true }
        let request = Request(.get, nginx.url(.https, .http2, "/hello.txt"))
        _ = try await client.data(for: request)
        let handshakes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let (data, response) = try await client.data(for: request)
                    #expect(data == Data("hello\n".utf8))
                    return response.metrics?.transactions.first?.handshake == nil ? 0 : 1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(handshakes == 0)
    }

    @Test func `a large body arrives whole, beside short ones`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let photo = try nginx.content("/photo")
        async let large = client.data(for: Request(.get, nginx.url(.https, .http2, "/photo")))
        for _ in 0..<20 {
            let (data, _) = try await client.data(for: Request(.get, nginx.url(.https, .http2, "/hello.txt")))
            #expect(data.count == 6)
        }
        #expect(try await large.0 == photo)
    }

    @Test(arguments: [1, 60_000, 300_000, 5_000_000])
    func `a body of any length arrives whole`(byteCount: Int) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let data = try Data.random(byteCount: byteCount)
        let request = Request(.post, nginx.url(.https, .http2, "/sink"))
        let (answer, response) = try await client.upload(for: request, from: data)
        #expect(String(decoding: answer, as: UTF8.self) == "POST \(byteCount)")
        #expect(response.httpVersion == .http2)
    }

    @Test func `an upload that the server does not want ends with its answer`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let data = try Data.random(byteCount: 3_000_000)
        let request = Request(.post, nginx.url(.https, .http2, "/small"))
        let (_, response) = try await client.upload(for: request, from: data)
        #expect(response.statusCode == 413)
        let (hello, next) = try await client.data(for: Request(.get, nginx.url(.https, .http2, "/hello.txt")))
        #expect(hello.count == 6)
        #expect(next.httpVersion == .http2)
    }

    @Test func `a server that ends each connection after 50 requests loses none`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<20 {
                group.addTask {
                    for number in 0..<50 {
                        let path = "/\(worker)/\(number)"
                        let request = Request(.post, nginx.url(.https, .http2Leaving, path))
                        let (data, response) = try await client.data(for: request)
                        #expect(response.statusCode == 200)
                        #expect(
                            String(decoding: data, as: UTF8.self) == path,
                            "\(response.fields) \(response.statusCode)"
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
