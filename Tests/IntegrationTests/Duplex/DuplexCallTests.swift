// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

/// Tests bodies that a test writes while it reads the response, over sockets.
@Suite("Both directions at once: sockets", .hangLimit)
struct DuplexCallTests {
    private struct Broken: Error {}

    /// A call to the raw server, and the writer of its body.
    private struct Conversation {
        let server: RawServer
        let client: Client
        let request: Request
        let writer: RequestBody.Writer

        init(_ name: String, _ scheme: Scheme) async throws {
            self.server = try await RawServer(scheme)
            self.client = self.server.makeClient()
            let (body, writer) = RequestBody.makeWriter()
            self.writer = writer
            var request = Request(.post, self.server.url("/scenario/\(name)")).body(body)
            request.options.expectsContinue = false
            self.request = request
        }

        func bytes() async throws -> ResponseBytes { try await self.client.bytes(for: self.request).0 }

        /// Writes pieces until a write fails, and returns its fault.
        func faultOfWritingOn() async -> Fault? {
            let piece = [UInt8](repeating: 1, count: 1000)
            while true {
                let fault = await fault { () async throws(ClientError) in try await self.writer.write(piece) }
                if let fault { return fault }
            }
        }
    }

    private static func count(_ bytes: ResponseBytes) async throws -> Int {
        try await bytes.chunks.reduce(0) { $0 + $1.count }
    }

    // MARK: Slow ones

    @Test(arguments: Scheme.allCases)
    func `a slow reader slows the writer`(scheme: Scheme) async throws {
        let conversation = try await Conversation("echo", scheme)
        let (count, size) = (2048, 16 << 10)
        let writtenCount = Flag()
        let writing = Task { [writer = conversation.writer] in
            for _ in 0..<count {
                try await writer.write([UInt8](repeating: 1, count: size))
                writtenCount.raise()
            }
            writer.finish()
        }
        var receivedByteCount = 0
        for try await chunk in try await conversation.bytes().chunks {
            receivedByteCount += chunk.count
            // The difference is in the system's buffers of both sockets, in both directions, which grow to a few
            // megabytes.
            #expect(writtenCount.count * size - receivedByteCount <= 24 << 20)
        }
        try await writing.value
        #expect(receivedByteCount == count * size)
    }

    @Test(arguments: Scheme.allCases)
    func `a slow writer has its answer as soon as there is one, and the rest at the end`(scheme: Scheme) async throws {
        let conversation = try await Conversation("early", scheme)
        var chunks = try await conversation.bytes().chunks.makeAsyncIterator()
        #expect(try await chunks.next() == Data("early".utf8))
        for _ in 0..<10 {
            try await conversation.writer.write("piece".utf8)
            await Task.yield()
        }
        conversation.writer.finish()
        #expect(try await chunks.next() == Data("50".utf8))
        #expect(try await chunks.next() == nil)
    }

    // MARK: Ends

    @Test(arguments: Scheme.allCases)
    func `cancelling the reading ends both directions`(scheme: Scheme) async throws {
        let conversation = try await Conversation("echo", scheme)
        let hasRead = Flag()
        let reading = Task {
            for try await _ in try await conversation.bytes().chunks { hasRead.raise() }
        }
        try await conversation.writer.write("one".utf8)
        await hasRead.wait()
        reading.cancel()
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(error?.fault == .cancelled)
        #expect(await conversation.faultOfWritingOn() == .uploadFailed(.notNeeded))
        try await conversation.server.isLeft()
    }

    @Test(arguments: Scheme.allCases)
    func `leaving the response ends the writing`(scheme: Scheme) async throws {
        let conversation = try await Conversation("echo", scheme)
        do {
            let bytes = try await conversation.bytes()
            try await conversation.writer.write("one".utf8)
            for try await chunk in bytes.chunks {
                #expect(chunk == Data("one".utf8))
                break
            }
        }
        #expect(await conversation.faultOfWritingOn() == .uploadFailed(.notNeeded))
        try await conversation.server.isLeft()
    }

    @Test(arguments: ["cut", "reset"], Scheme.allCases)
    func `a connection that the server ends in the middle ends both directions`(
        name: String,
        scheme: Scheme
    ) async throws {
        let conversation = try await Conversation(name, scheme)
        let bytes = try await conversation.bytes()
        async let fault = conversation.faultOfWritingOn()
        let error = await #expect(throws: ClientError.self) { try await Self.count(bytes) }
        // A reset may destroy bytes that arrived before it.
        #expect([0, 5].map { Fault.truncated(received: $0, expected: nil) }.contains(error?.fault))
        #expect(await fault == .uploadFailed(.notNeeded))
        try await conversation.server.isLeft()
    }

    @Test(arguments: Scheme.allCases)
    func `an error that ends the body ends the call, and the server sees no end`(scheme: Scheme) async throws {
        let conversation = try await Conversation("early", scheme)
        let bytes = try await conversation.bytes()
        try await conversation.writer.write("one".utf8)
        conversation.writer.finish(throwing: Broken())
        let error = await #expect(throws: ClientError.self) { try await Self.count(bytes) }
        #expect(error?.fault == .uploadFailed(.streamFailed(type: "Broken")))
        try await conversation.server.isLeft()
    }

    @Test func `a refusal ends the writing, and is read`() async throws {
        let server = try await RawServer()
        let (body, writer) = RequestBody.makeWriter()
        var request = Request(.post, server.url("/early-413")).body(body)
        request.options.expectsContinue = false
        let (data, response) = try await Client(configuration: .patient).data(for: request)
        #expect(response.status == .contentTooLarge)
        #expect(data == Data("large".utf8))
        let fault = await fault { () async throws(ClientError) in try await writer.write("one".utf8) }
        #expect(fault == .uploadFailed(.notNeeded))
        try await server.isLeft()
    }
}
