// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

import class ClientTestSupport.Journal  // not its HTTP2Frame

/// A server made with swift-nio-http2, which runs in the process of the tests.
///
/// So a test can ask the server what it received, and can make it leave its connections.
final class NIOHTTP2Server: Sendable {
    typealias Stream = NIOAsyncChannel<HTTP2Frame.FramePayload, HTTP2Frame.FramePayload>
    private typealias Streams = NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>

    let port: Int
    /// The error codes of the streams that the client reset, in order.
    let resets = Journal<Int>()
    /// The paths that the server received.
    let paths = Journal<String>()
    /// Raised by a test so that the responses of `/gate` continue.
    let gate = Flag()

    private let listener: any Channel
    private let connections = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Starts a server on a port of the loopback interface; without a context, the server speaks HTTP/2 in the clear.
    static func launch(_ tls: NIOSSLContext?) async throws -> NIOHTTP2Server {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { connection in
                connection.eventLoop.makeCompletedFuture {
                    (connection, try Self.configure(connection, tls))
                }
            }
        let server = NIOHTTP2Server(listener.channel)
        Task {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await (connection, streams) in connections {
                        group.addTask { await server.serve(connection, streams) }
                    }
                }
            }
        }
        return server
    }

    private init(_ listener: any Channel) {
        self.listener = listener
        self.port = listener.localAddress?.port ?? 0
    }

    /// A context with the server's certificate in a folder, which offers only HTTP/2.
    static func makeContext(_ folder: URL) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(folder.appending(path: "good.pem").path)
        let key = try NIOSSLPrivateKey(file: folder.appending(path: "good.key").path, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = ["h2"]
        return try NIOSSLContext(configuration: configuration)
    }

    /// Leaves all connections (RFC 9113 §6.8): sends GOAWAY, and closes each connection when its streams have ended.
    func leave() {
        for connection in self.connections.withLock({ Array($0.values) }) {
            connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Stops listening; the connections stay.
    func stop() { self.listener.close(promise: nil) }

    /// The number of open connections that have carried requests.
    var connectionCount: Int { self.connections.withLock(\.count) }

    private static func configure(_ connection: any Channel, _ tls: NIOSSLContext?) throws -> Streams {
        let pipeline = connection.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        let limits = NIOHTTP2ServerConnectionManagementHandler.Configuration(
            maxIdleTime: nil,
            maxAge: nil,
            maxGraceTime: nil,
            keepalive: nil
        )
        let leaving = NIOHTTP2ServerConnectionManagementHandler(eventLoop: connection.eventLoop, configuration: limits)
        let streams = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            streamDelegate: leaving.http2StreamDelegate
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try Stream(
                    wrappingChannelSynchronously: stream,
                    configuration: .init(isOutboundHalfClosureEnabled: true)
                )
            }
        }
        try pipeline.addHandler(leaving)
        return streams
    }

    private func serve(_ connection: any Channel, _ streams: Streams) async {
        let id = ObjectIdentifier(connection)
        defer { self.connections.withLock { $0[id] = nil } }
        await withDiscardingTaskGroup { group in
            do {
                for try await stream in streams.inbound {
                    self.connections.withLock { $0[id] = connection }
                    group.addTask { await self.serve(stream) }
                }
            } catch {
                // The client ended the connection in the middle.
            }
        }
    }

    private func serve(_ stream: Stream) async {
        do {
            try await stream.executeThenClose { frames, _ in
                var request = Request(frames.makeAsyncIterator(), stream.channel)
                try await self.answer(&request)
            }
        } catch let error as NIOHTTP2Errors.StreamClosed {
            self.resets.note(error.errorCode.networkCode)
        } catch {
            // The stream ended with its connection.
        }
    }
}
