// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Adversity: the answer comes before the request has gone", .hangLimit)
struct EarlyAnswerTests {
    private func client(expectContinueTimeout: Duration? = nil) -> Client {
        var configuration = Client.Configuration.patient
        configuration.expectContinueThreshold = expectContinueTimeout == nil ? nil : 1
        if let expectContinueTimeout { configuration.expectContinueTimeout = expectContinueTimeout }
        return Client(configuration: configuration)
    }

    private func largeFile() throws -> (TemporaryFolder, URL) {
        let folder = try TemporaryFolder()
        try folder.write("", to: "large")
        try folder.truncate("large", to: 20_000_000)
        return (folder, folder.file("large"))
    }

    @Test func `an early answer is given, and the body stopped`() async throws {
        let server = try await RawServer()
        let client = self.client()
        let (folder, file) = try self.largeFile()
        let (data, response) = try await client.upload(for: Request(.put, server.url("/early-413")), fromFile: file)
        #expect(response.status == .contentTooLarge)
        #expect(data == Data("large".utf8))
        try await server.isLeft()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ["/early-413-close", "/early-413-reset"])
    func `an early answer that the server itself cuts off is given, or its loss`(_ path: String) async throws {
        let server = try await RawServer()
        let client = self.client()
        let (folder, file) = try self.largeFile()
        do {
            let (_, response) = try await client.upload(for: Request(.put, server.url(path)), fromFile: file)
            #expect(response.status == .contentTooLarge)
        } catch {
            // The reset may have destroyed the answer before the client read it. No client can prevent that.
            #expect([.connectionLost(.reset), .truncated(received: 0, expected: 5)].contains(error.fault))
        }
        try await server.isLeft()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ["/close-in-upload", "/reset-in-upload"])
    func `a connection that ends in the upload is lost`(_ path: String) async throws {
        let server = try await RawServer()
        let client = self.client()
        let (folder, file) = try self.largeFile()
        let fault = await fault { () async throws(ClientError) in
            try await client.upload(for: Request(.post, server.url(path)), fromFile: file)
        }
        // The fault depends on whether reading or writing fails first.
        #expect(fault == .connectionLost(.closed) || fault == .connectionLost(.reset))
        try await server.isLeft()
        withExtendedLifetime(folder) {}
    }

    @Test func `a body may come back while it is sent`() async throws {
        let server = try await RawServer()
        let data = try Data.random(byteCount: 20_000_000)
        let (copy, response) = try await self.client().upload(for: Request(.post, server.url("/duplex")), from: data)
        expectEqual(copy, data)
        #expect(response.isSuccess)
    }

    // MARK: 100 Continue

    @Test func `100 Continue lets the body go`() async throws {
        let server = try await RawServer()
        let client = self.client(expectContinueTimeout: .patient)
        for isReused in [false, true] {
            let (data, response) = try await client.upload(
                for: Request(.put, server.url("/invite")),
                from: Data(count: 1000)
            )
            #expect(String(decoding: data, as: UTF8.self) == "1000 100-continue")
            #expect(response.isConnectionReused == isReused)
        }
    }

    @Test func `without 100 Continue the body goes after a while`() async throws {
        let server = try await RawServer()
        let client = self.client(expectContinueTimeout: .milliseconds(50))
        let (data, _) = try await client.upload(for: Request(.put, server.url("/upload")), from: Data(count: 1000))
        #expect(String(decoding: data, as: UTF8.self) == "1000 100-continue")
    }

    @Test func `after 417 the request goes out again, without the expectation`() async throws {
        let server = try await RawServer()
        let client = self.client(expectContinueTimeout: .patient)
        let (data, _) = try await client.upload(
            for: Request(.put, server.url("/refuse-expectation")),
            from: Data(count: 1000)
        )
        #expect(String(decoding: data, as: UTF8.self) == "1000 nothing")
    }

    @Test func `a final answer in place of 100 Continue is given`() async throws {
        let server = try await RawServer()
        let client = self.client(expectContinueTimeout: .patient)
        let (_, response) = try await client.upload(for: Request(.put, server.url("/decline")), from: Data(count: 1000))
        #expect(response.status == .contentTooLarge)
        try await server.isLeft()
    }
}
