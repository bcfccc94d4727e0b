// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Handles one connection: reads and answers one request at a time.
enum DemoConnection {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Inbound = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// The connection ended too early.
    private struct Disconnected: Error {}

    /// The number of bytes that the server passes to the connection at once.
    private static let pieceByteCount = 64 << 10

    /// Sets up a channel that was just accepted, on its event loop.
    static func makeChannel(on channel: any NIOCore.Channel) throws -> Channel {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
        return try Channel(wrappingChannelSynchronously: channel)
    }

    /// Answers requests until the client closes the connection.
    static func serve(_ channel: Channel, for server: DemoServer, _ answer: DemoServer.Answering) async throws {
        try await channel.executeThenClose { inbound, outbound in
            var inbound = inbound.makeAsyncIterator()
            while let request = try await Self.nextRequest(&inbound) {
                server.recordRequest("\(request.method) \(request.target)")
                let reply = await answer(request)
                do {
                    try await Self.send(reply, to: request, outbound)
                    if case .stall = reply.ending { while try await inbound.next() != nil {} }
                    if case .complete = reply.ending {
                        server.recordEnd("\(request.method) \(request.target) \(reply.status)")
                        continue
                    }
                    throw Disconnected()
                } catch {
                    server.recordEnd("\(request.method) \(request.target) disconnected")
                    throw error
                }
            }
        }
    }

    private static func nextRequest(_ inbound: inout Inbound) async throws -> DemoRequest? {
        guard case .head(let head)? = try await inbound.next() else { return nil }
        var body: [UInt8] = []
        while case .body(let piece)? = try await inbound.next() { body += piece.readableBytesView }
        return DemoRequest(head, body: body)
    }

    private static func send(_ answer: DemoAnswer, to request: DemoRequest, _ outbound: Outbound) async throws {
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status))
        for field in answer.fields { head.headers.add(name: field.name, value: field.value) }
        let hasBody = request.method != "HEAD" && ![204, 304].contains(answer.status)
        if hasBody, answer.pieces == nil {
            head.headers.add(name: "content-length", value: "\(answer.announcedByteCount)")
        }
        try await outbound.write(.head(head))
        guard hasBody else { return try await outbound.write(.end(nil)) }
        var start = 0
        while start < answer.body.count {
            let end = min(start + Self.pieceByteCount, answer.body.count)
            try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: answer.body[start..<end]))))
            start = end
        }
        if let pieces = answer.pieces {
            for await piece in pieces { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: piece)))) }
        }
        if case .complete = answer.ending { try await outbound.write(.end(nil)) }
    }
}
