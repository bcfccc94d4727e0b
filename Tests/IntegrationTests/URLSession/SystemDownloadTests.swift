// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernTesting
import TernURLLoading
import TestSupport
import Testing

@testable import TernURLSession

@Suite("URLSession, responses", .hangLimit)
struct SystemDownloadTests {
    private let client = Client.overURLSession()

    @Test func `a short body is read`() async throws {
        let server = try await RawServer.shared
        let (data, response) = try await self.client.data(for: server.get("/scenario/text"))
        #expect(String(decoding: data, as: UTF8.self) == "some text\n")
        #expect(response.status == .ok)
        #expect(response.contentLength == 10)
    }

    @Test func `a hundred calls at once all get their answers`() async throws {
        let server = try await RawServer.shared
        let client = self.client
        let lengths = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { try await client.data(for: server.get("/scenario/text")).0.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(lengths == Array(repeating: 10, count: 100))
    }

    @Test func `a file is downloaded, with progress`() async throws {
        let server = try await RawServer.shared
        let folder = try TemporaryFolder()
        let delegate = RecordingDelegate()
        let byteCount = 5_000_000
        let request = server.get("/flood").query("bytes", byteCount)
        let (file, _) = try await self.client.download(for: request, to: folder.file("file"), delegate: delegate)
        #expect(try Data(contentsOf: file) == Data(repeating: UInt8(ascii: "x"), count: byteCount))
        #expect(delegate.receivedProgress.last?.byteCount == Int64(byteCount))
        #expect(delegate.receivedProgress.last?.totalByteCount == Int64(byteCount))
    }

    @Test func `lines arrive before the body ends, and leaving the loop frees the connection`() async throws {
        let server = try await RawServer()
        #expect(try await self.lines(2, of: server.get("/stall-in-lines")) == ["one", "two"])
        try await server.isLeft()
    }

    /// Returns the first lines of a body, and releases the body.
    private func lines(_ count: Int, of request: Request) async throws -> [String] {
        let (bytes, _) = try await self.client.bytes(for: request)
        var lines: [String] = []
        for try await line in bytes.lines {
            lines.append(line)
            if lines.count == count { break }
        }
        return lines
    }

    @Test(arguments: ["gzip", "deflate"])
    func `coded content is decoded once`(_ coding: String) async throws {
        let server = try await RawServer.shared
        let (data, response) = try await self.client.data(for: server.get("/scenario/\(coding)"))
        #expect(String(decoding: data, as: UTF8.self) == "some text\n")
        #expect(response[.contentEncoding] == nil)
        #expect(response.contentLength == nil)
    }

    @Test func `a client that decodes nothing asks for no coding`() async throws {
        let server = try await RawServer.shared
        let client = Client.overURLSession { $0.decodesContent = false }
        let (data, response) = try await client.data(for: server.get("/scenario/gzip"))
        #expect(String(decoding: data, as: UTF8.self) == "some text\n")
        #expect(response.contentLength == 10)
    }

    @Test func `HEAD has the length of the body, and no body`() async throws {
        let server = try await RawServer.shared
        let (data, response) = try await self.client.data(for: Request(.head, server.url("/scenario/head")))
        #expect(data.isEmpty)
        #expect(response.contentLength == 1000)
    }

    @Test(arguments: [204, 304]) func `a response without content has none`(_ status: Int) async throws {
        let server = try await RawServer.shared
        let (data, response) = try await self.client.data(for: server.get("/scenario/\(status)"))
        #expect(data.isEmpty)
        #expect(response.statusCode == status)
    }

    /// Without `/drip-chunks`: its trailer section ends the process on Linux, as the article of the module says.
    @Test(arguments: ["/until-close", "/chunked-http10", "/hints", "/connection-close", "/http10"])
    func `any framing is understood`(_ path: String) async throws {
        let server = try await RawServer.shared
        #expect(try await !self.client.data(for: server.get(path)).0.isEmpty)
    }

    @Test func `joined cookies are separate again, and come back`() async throws {
        let server = try await RawServer()
        let client = Client.overURLSession { $0.cookieStore = MemoryCookieStore() }
        let (_, response) = try await client.data(for: server.get("/two-cookies"))
        #expect(
            Set(response.fields[values: .setCookie]) == ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2"]
        )
        let (data, _) = try await client.data(for: server.get("/scenario/request"))
        let seen = try JSONDecoder().decode(ScenarioServer.Seen.self, from: data)
        #expect(seen.fields["Cookie"]?.count == 1)
        #expect(Set(seen.fields["Cookie"]?.first?.split(separator: "; ") ?? []) == ["a=1", "b=2"])
    }

    @Test func `without a store, no cookie comes back`() async throws {
        let server = try await RawServer()
        _ = try await self.client.data(for: server.get("/two-cookies"))
        let (data, _) = try await self.client.data(for: server.get("/scenario/request"))
        #expect(try JSONDecoder().decode(ScenarioServer.Seen.self, from: data).fields["Cookie"] == nil)
    }

    @Test func `measured calls have the steps that URLSession reports`() async throws {
        let server = try await RawServer.shared
        let client = Client.overURLSession { $0.collectsMetrics = true }
        let request = Request(.post, server.url("/upload")).body(data: Data(repeating: 1, count: 1000))
        let (_, response) = try await client.data(for: request)
        let transaction = try #require(response.metrics?.transactions.first)
        #expect(transaction.statusCode == 200)
        #expect(transaction.firstByte != nil)
        #expect(transaction.requestSent != nil)
        #expect(transaction.sent.content == 1000)
        #expect(transaction.received.content == Int64(response.contentLength ?? -1))
        #expect(transaction.end != nil)
    }
}
