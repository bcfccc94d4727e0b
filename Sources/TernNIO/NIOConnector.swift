// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import NIOSSL
import TernRequests
public import TernTransport

/// Opens sockets with SwiftNIO: TCP with Happy Eyeballs (RFC 8305), Unix-domain sockets, and TLS by NIOSSL.
///
/// It uses the process's shared event loops and starts no thread of its own, so there is nothing to shut down.
public struct NIOConnector: Connector {
    private let group: any EventLoopGroup
    private let clock: any TransportClock
    private let contexts = TLSContexts()
    private let loopExecutor: EventLoopExecutor

    /// Creates a connector on the shared event loops.
    ///
    /// - Parameter clock: what deadlines go by; the system's clock by default.
    public init(clock: any TransportClock = SystemClock()) {
        self.group = MultiThreadedEventLoopGroup.singleton
        self.clock = clock
        self.loopExecutor = EventLoopExecutor(self.group.next())
    }

    /// The executor of one event loop: connections that are made by a task that runs there live on the same loop.
    public var executor: (any TaskExecutor)? { self.loopExecutor }

    public func connect(
        to target: ConnectionTarget,
        deadline: Deadline?
    ) async throws(ConnectionError) -> any Connection {
        let tls = target.isEncrypted ? try self.contexts.context(for: target.tls) : nil
        let suspension = Suspension<Result<NIOConnection, ConnectionError>>()
        let timer = deadline.map { deadline in
            self.clock.schedule(at: deadline.instant) { suspension.resume(with: .failure(.timedOut(deadline))) }
        }
        defer { timer?.cancel() }

        let attempt = ConnectionAttempt()
        self.channel(to: target, attempt)
            .flatMap { channel in self.connection(over: channel, to: target, tls: tls) }
            .whenComplete { result in
                let outcome = result.mapError { ConnectionError(connecting: $0, deadline: deadline) }
                guard !suspension.resume(with: outcome), case .success(let connection) = outcome else { return }
                connection.close()  // the caller has given up meanwhile
            }
        do throws(ConnectionError) {
            return try await suspension.wait(onCancel: .failure(.cancelled)).get()
        } catch {
            attempt.giveUp()
            throw error
        }
    }

    private func channel(
        to target: ConnectionTarget,
        _ attempt: ConnectionAttempt
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: self.group.any())
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 2)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 128 << 10)
            )
            .channelOption(.writeBufferWaterMark, value: .init(low: 128 << 10, high: 512 << 10))
            .channelInitializer { channel in
                attempt.opened(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .connectTimeout(.hours(1))  // the caller's deadline is shorter and counts the handshake too
        if let path = target.unixSocketPath { return bootstrap.connect(unixDomainSocketPath: path) }
        let tcp = bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
        if let address = try? SocketAddress(ipAddress: target.origin.host, port: target.origin.port) {
            return tcp.connect(to: address)
        }
        return tcp.connect(host: target.origin.host, port: target.origin.port)
    }

    /// Sets the pipeline up, on the event loop, and waits for the handshake where there is one.
    private func connection(
        over channel: any Channel,
        to target: ConnectionTarget,
        tls: NIOSSLContext?
    ) -> EventLoopFuture<NIOConnection> {
        let inbox = Inbox(limit: NIOConnection.receiveLimit, clock: self.clock)
        let outbox = Outbox(limit: NIOConnection.sendLimit, clock: self.clock)
        let handler = ConnectionHandler(inbox: inbox, outbox: outbox)
        let connection = NIOConnection(
            channel: channel,
            handler: NIOLoopBound(handler, eventLoop: channel.eventLoop),
            inbox: inbox,
            outbox: outbox,
            isEncrypted: tls != nil
        )
        do {
            guard let tls else {
                try channel.pipeline.syncOperations.addHandler(handler)
                return channel.eventLoop.makeSucceededFuture(connection)
            }
            let completed = channel.eventLoop.makePromise(of: Void.self)
            let handshake = HandshakeHandler(completed: completed)
            let isAddress = (try? SocketAddress(ipAddress: target.origin.host, port: 0)) != nil
            try channel.pipeline.syncOperations.addHandlers(
                NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : target.origin.host),
                handshake,
                handler
            )
            return completed.futureResult.map { connection }
        } catch {
            connection.close()
            return channel.eventLoop.makeFailedFuture(error)
        }
    }
}
