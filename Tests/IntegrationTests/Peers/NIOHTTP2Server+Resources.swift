// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import TestSupport
import Testing

import class ClientTestSupport.Journal  // not its HTTP2Frame

extension NIOHTTP2Server {
    static var trailers: HPACKHeaders { ["tern-trailer": "flies"] }

    /// A request on a stream, and the response to it.
    struct Request {
        private var frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>.AsyncIterator
        private let channel: any Channel

        init(
            _ frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>.AsyncIterator,
            _ channel: any Channel
        ) {
            (self.frames, self.channel) = (frames, channel)
        }

        /// Returns the next frame of the client; `nil` after the end of the request.
        mutating func next() async throws -> HTTP2Frame.FramePayload? {
            try await self.frames.next(isolation: #isolation)
        }

        /// Returns the head of the request, and whether the request has no content.
        mutating func head() async throws -> (fields: HPACKHeaders, isWhole: Bool)? {
            while let frame = try await self.next() {
                if case .headers(let headers) = frame { return (headers.headers, headers.endStream) }
            }
            return nil
        }

        /// Returns the content and the trailers.
        mutating func rest() async throws -> (content: ByteBuffer, trailers: HPACKHeaders) {
            var content = ByteBuffer()
            while let frame = try await self.next() {
                switch frame {
                case .data(let data):
                    guard case .byteBuffer(var bytes) = data.data else { continue }
                    content.writeBuffer(&bytes)
                    if data.endStream { return (content, [:]) }
                case .headers(let headers): return (content, headers.headers)
                default: continue
                }
            }
            return (content, [:])
        }

        func send(_ fields: HPACKHeaders, endsStream: Bool = false) async throws {
            try await self.write(.headers(.init(headers: fields, endStream: endsStream)))
        }

        func send(_ content: ByteBuffer) async throws {
            var rest = content
            while let piece = rest.readSlice(length: min(rest.readableBytes, 1 << 16)), piece.readableBytes > 0 {
                try await self.write(.data(.init(data: .byteBuffer(piece))))
            }
        }

        /// Waits until a frame is on the wire: the end of a stream discards the frames that wait for its window.
        private func write(_ frame: HTTP2Frame.FramePayload) async throws {
            try await self.channel.writeAndFlush(frame).get()
        }

        /// Sends a response with a trailer.
        func respond(_ content: ByteBuffer, trailers: HPACKHeaders = NIOHTTP2Server.trailers) async throws {
            try await self.send([":status": "200", "content-length": "\(content.readableBytes)"])
            try await self.send(content)
            try await self.send(trailers, endsStream: true)
        }
    }

    /// Answers a request.
    ///
    /// `/hints` sends 103 (RFC 8297) before its response. `/gate` ends its response when the gate opens. `/silence` reads
    /// the request and sends no response.
    func answer(_ request: inout Request) async throws {
        guard let (fields, isWhole) = try await request.head() else { return }
        let path = fields.first(name: ":path") ?? ""
        self.paths.note(path)
        if fields.first(name: "expect") == "100-continue" { try await request.send([":status": "100"]) }
        let (content, trailers) = isWhole ? (ByteBuffer(), [:]) : try await request.rest()
        switch path {
        case "/hello.txt": try await request.respond(ByteBuffer(string: "hello\n"))
        case "/large": try await request.respond(ByteBuffer(bytes: HTTP2Server.large))
        case "/upload": try await request.respond(content, trailers: trailers.isEmpty ? Self.trailers : trailers)
        case "/hints":
            try await request.send([":status": "103", "link": "</style.css>; rel=preload"])
            try await request.respond(ByteBuffer(string: "hello\n"))
        case "/gate":
            try await request.send([":status": "200"])
            await self.gate.wait()
            try await request.send(ByteBuffer(string: "open"))
            try await request.send([:], endsStream: true)
        case "/silence": while try await request.next() != nil {}
        default: try await request.send([":status": "404"], endsStream: true)
        }
    }
}
