// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload
import Synchronization

/// A server of resumable uploads made with NIOResumableUpload of swift-nio-extras, which runs in the process of the tests.
///
/// It speaks interop version 6 of the IETF's draft, and keeps an upload whose connection breaks.
final class NIOUploadServer: Sendable {
    /// The requests and files that the server has received.
    let log: Log
    let port: Int

    private let listener: any Channel

    /// Starts a server on a port of the loopback interface.
    ///
    /// - Parameter byteCount: The number of bytes of content after which the server closes a connection, once. Defaults
    ///   to `nil`: it closes none.
    /// - Returns: The server.
    /// - Throws: An error of the system.
    static func launch(closingAfter byteCount: Int? = nil) async throws -> NIOUploadServer {
        let log = Log(closingAfter: byteCount)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { connection in
                connection.eventLoop.makeCompletedFuture {
                    let pipeline = connection.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                    try pipeline.addHandler(ContentGate(log))
                    let uploads = log.uploads(atPort: connection.localAddress?.port ?? 0)
                    let handler = HTTPResumableUploadHandler(context: uploads) { upload in
                        try? upload.pipeline.syncOperations.addHandler(FileReceiver(log))
                    }
                    try pipeline.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return NIOUploadServer(log, listener)
    }

    private init(_ log: Log, _ listener: any Channel) {
        (self.log, self.listener) = (log, listener)
        self.port = listener.localAddress?.port ?? 0
    }

    /// Stops listening.
    func stop() { self.listener.close(promise: nil) }
}

extension NIOUploadServer {
    /// The requests and files that a server has received, and the uploads that its connections share.
    final class Log: Sendable {
        /// The heads of the requests, in order.
        let requests = Journal<HTTPRequest>()
        /// The files that have arrived completely.
        let files = Journal<ByteBuffer>()
        /// The number of bytes of each upload that ended before its file was complete.
        let abandoned = Journal<Int>()

        private let context = Mutex<HTTPResumableUploadContext?>(nil)
        /// The number of bytes of content until the server closes a connection; `nil` if it does not.
        private let rest: Mutex<Int?>

        fileprivate init(closingAfter byteCount: Int?) { self.rest = Mutex(byteCount) }

        /// Returns the uploads of the server, whose URLs contain its port.
        fileprivate func uploads(atPort port: Int) -> HTTPResumableUploadContext {
            self.context.withLock { context in
                let uploads = context ?? HTTPResumableUploadContext(origin: "http://127.0.0.1:\(port)")
                context = uploads
                return uploads
            }
        }

        /// Counts content, and returns how many of its bytes count if the connection must end; otherwise `nil`.
        fileprivate func end(after byteCount: Int) -> Int? {
            self.rest.withLock { rest in
                guard let left = rest else { return nil }
                rest = left > byteCount ? left - byteCount : nil
                return rest == nil ? left : nil
            }
        }
    }

    /// Notes the heads of requests, and closes a connection in the middle of the content.
    private final class ContentGate: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart

        private let log: Log
        private var isClosed = false

        init(_ log: Log) { self.log = log }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !self.isClosed else { return }
            switch Self.unwrapInboundIn(data) {
            case .head(let request): self.log.requests.note(request)
            case .body(let bytes):
                guard let count = self.log.end(after: bytes.readableBytes) else { break }
                self.isClosed = true
                if let last = bytes.getSlice(at: bytes.readerIndex, length: count) {
                    context.fireChannelRead(Self.wrapInboundOut(.body(last)))
                }
                context.close(promise: nil)
                return
            case .end: break
            }
            context.fireChannelRead(data)
        }
    }

    /// Receives one file, over any number of connections, and answers with its length.
    private final class FileReceiver: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        private let log: Log
        private var content = ByteBuffer()
        private var isComplete = false

        init(_ log: Log) { self.log = log }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch Self.unwrapInboundIn(data) {
            case .head: break
            case .body(var bytes): self.content.writeBuffer(&bytes)
            case .end:
                self.isComplete = true
                self.log.files.note(self.content)
                let body = ByteBuffer(string: "\(self.content.readableBytes)")
                let head = HTTPResponse(status: .created, headerFields: [.contentLength: "\(body.readableBytes)"])
                context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
                context.write(Self.wrapOutboundOut(.body(body)), promise: nil)
                context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            if !self.isComplete { self.log.abandoned.note(self.content.readableBytes) }
        }
    }
}
