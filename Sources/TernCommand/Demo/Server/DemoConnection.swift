// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// One connection to the demo's server, which reads one request at a time, and lets the request's route answer.
struct DemoConnection: ~Copyable {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    struct Disconnected: Error {}

    private var inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    private let channel: any NIOCore.Channel
    private(set) var authorization: String?
    private(set) var range: String?
    private(set) var ifRange: String?

    /// Must be called on the event loop of the channel.
    static func makeChannel(on channel: any NIOCore.Channel) throws -> Channel {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
        return try Channel(wrappingChannelSynchronously: channel)
    }

    static func serve(_ channel: Channel, for server: DemoServer) async throws {
        try await channel.executeThenClose { inbound, outbound in
            var connection = DemoConnection(
                inbound: inbound.makeAsyncIterator(),
                outbound: outbound,
                channel: channel.channel
            )
            while let head = try await connection.nextRequest() {
                server.journal.record(.requested(head.uri))
                do {
                    try await DemoRoute.route(for: head).respond(&connection, server)
                } catch {
                    server.journal.record(.disconnected(head.uri))
                    throw error
                }
            }
        }
    }

    /// Skips the rest of the previous request's body; returns `nil` when the client has closed the connection.
    @concurrent
    private mutating func nextRequest() async throws -> HTTPRequestHead? {
        while let part = try await self.inbound.next() {
            guard case .head(let head) = part else { continue }
            self.authorization = head.headers.first(name: "authorization")
            self.range = head.headers.first(name: "range")
            self.ifRange = head.headers.first(name: "if-range")
            if head.headers.first(name: "expect") == "100-continue" {
                try await self.outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
            }
            return head
        }
        return nil
    }

    @concurrent
    mutating func nextPiece() async throws -> ByteBuffer? {
        switch try await self.inbound.next() {
        case .body(let piece): return piece
        case .end: return nil
        case .head, nil: throw Disconnected()
        }
    }

    @concurrent
    mutating func waitForClose() async throws -> Never {
        while try await self.inbound.next() != nil {}
        throw Disconnected()
    }

    func send(_ status: HTTPResponseStatus, type: String = "text/plain", _ body: ByteBuffer) async throws {
        try await self.begin(status, type: type, length: body.readableBytes)
        var rest = body
        while let piece = rest.readSlice(length: min(rest.readableBytes, 64 << 10)), piece.readableBytes > 0 {
            try await self.send(piece)
        }
        try await self.end()
    }

    /// Without a length, the body is sent in chunks.
    func begin(
        _ status: HTTPResponseStatus,
        type: String,
        length: Int? = nil,
        _ fields: HTTPHeaders = [:]
    ) async throws {
        var headers: HTTPHeaders = ["content-type": type]
        headers.add(contentsOf: fields)
        if let length { headers.add(name: "content-length", value: "\(length)") }
        try await self.outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
    }

    func send(_ piece: ByteBuffer) async throws { try await self.outbound.write(.body(.byteBuffer(piece))) }

    /// Waits until all pieces are written to the socket, so that closing the connection loses none of them.
    func flush() async throws {
        try await self.channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))).get()
    }

    func end() async throws { try await self.outbound.write(.end(nil)) }
}
