// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Synchronization
package import TernConnections
import TernErrors

/// Opens connections: TCP with Happy Eyeballs (RFC 8305), Unix domain sockets, and TLS by NIOSSL.
///
/// Its threads and event loops belong to the process, and the threads for look-ups end when idle, so there is nothing to shut down.
package struct NIOConnector: DescriptorConnector {
    package enum Threading: Sendable {
        /// The threads of the callers, which may poll for a short time, and shared threads that wait.
        ///
        /// Event loops serve the rest, such as a caller that runs on an event loop, and all callers on platforms other than Linux.
        case callersThatPoll
        /// Like ``callersThatPoll``, but readers do not poll.
        case callers
        /// Only event loops.
        case eventLoops
    }

    package enum AddressFamily: Sendable {
        case ipv4
        case ipv6
    }

    /// Receive buffers grow for bulk transfers, and stay small enough for a processor's cache.
    private static let receiveByteCounts = (minimum: 1024, initial: 4096, maximum: 128 << 10)
    /// The numbers of queued bytes at which writes continue, and begin to wait: a fast connection sends them in a few round trips.
    private static let waitingByteCounts = (low: 128 << 10, high: 512 << 10)

    let threading: Threading
    let readiness: ReadinessThreads
    /// The event loops; `nil` for those of the process, which start with their first use.
    let loops: (any EventLoopGroup)?
    let clock: any TransportClock
    private let contexts = TLSContexts()
    private let loopExecutor: EventLoopExecutor
    private let resolver: NameResolver
    private let family: AddressFamily?

    package init(
        threading: Threading = .callersThatPoll,
        clock: any TransportClock = SystemClock(),
        family: AddressFamily? = nil
    ) {
        self.init(threading: threading, clock: clock, resolver: .shared, family: family)
    }

    init(
        threading: Threading = .callersThatPoll,
        clock: any TransportClock = SystemClock(),
        resolver: NameResolver = .shared,
        readiness: ReadinessThreads = .shared,
        loops: (any EventLoopGroup)? = nil,
        family: AddressFamily? = nil
    ) {
        self.family = family
        self.threading = threading
        self.readiness = readiness
        self.loops = loops
        self.clock = clock
        self.resolver = resolver
        self.loopExecutor = EventLoopExecutor()
    }

    /// The executor of one event loop; the connections that its tasks make also use this event loop.
    package var executor: (any TaskExecutor)? { self.loopExecutor }

    package func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        try await self.connect(to: endpoint, deadline: deadline, reporting: nil)
    }

    package func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection {
        let place = try await self.place(of: endpoint, deadline: deadline, reporting: report)
        if let direct = try await self.connectDirectly(to: place, deadline: deadline, reporting: report) {
            return direct
        }
        let eventLoop = try self.nextEventLoop()
        let suspension = Suspension<Result<NIOConnection, ConnectionError>>()
        let attempt = ConnectionAttempt()
        let made = self.channel(to: place, on: eventLoop, attempt, report)
            .flatMapThrowing { channel in try self.connection(over: channel, inside: nil) }
        made.whenComplete { result in
            let outcome = result.mapError { ConnectionError(connecting: $0, deadline: deadline) }
            guard !suspension.resume(with: outcome), case .success(let connection) = outcome else { return }
            connection.close()  // the caller gave up before the connection was made
        }
        do throws(ConnectionError) {
            return try await suspension.success(until: deadline, on: self.clock)
        } catch {
            attempt.giveUp()
            // Releasing all descriptors first takes time on the event loop, but does not depend on the peer.
            await made.settled()
            await attempt.closed()
            throw error
        }
    }

    enum Place {
        case unixSocket(path: String)
        case address(SocketAddress)
        case host(String, port: Int, [SocketAddress])

        /// The addresses to connect to, the best first; `nil` if the path is too long for an address.
        var addresses: [SocketAddress]? {
            switch self {
            case .unixSocket(let path): (try? SocketAddress(unixDomainSocketPath: path)).map { [$0] }
            case .address(let address): [address]
            case .host(_, _, let addresses): addresses
            }
        }
    }

    private func place(
        of endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> Place {
        switch endpoint {
        case .unixSocket(let path):
            return .unixSocket(path: path)
        case .host(let host, let port):
            if let address = try? SocketAddress(ipAddress: host, port: port) {
                guard self.allows(address) else { throw .notConnected(.unreachable) }
                return .address(address)
            }
            // A host name contains no colon, so this is an IPv6 address whose zone names no interface (RFC 4007 §11).
            guard !host.utf8.contains(UInt8(ascii: ":")) else { throw .notConnected(.unreachable) }
            report?(.resolving)
            let addresses = try await self.resolver.addresses(of: host, until: deadline, on: self.clock)
                .filter(self.allows).map { address in
                    var address = address
                    address.port = port
                    return address
                }
            guard !addresses.isEmpty else { throw .notConnected(.resolution(isTemporary: false)) }
            report?(.resolved(addressCount: addresses.count))
            return .host(host, port: port, addresses)
        }
    }

    private func allows(_ address: SocketAddress) -> Bool {
        switch (self.family, address) {
        case (nil, _), (.ipv4, .v4), (.ipv6, .v6): true
        default: false
        }
    }

    private func channel(
        to place: Place,
        on eventLoop: any EventLoop,
        _ attempt: ConnectionAttempt,
        _ report: (@Sendable (ConnectionMilestone) -> Void)?
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 2)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(
                    minimum: Self.receiveByteCounts.minimum,
                    initial: Self.receiveByteCounts.initial,
                    maximum: Self.receiveByteCounts.maximum
                )
            )
            .channelOption(
                .writeBufferWaterMark,
                value: .init(low: Self.waitingByteCounts.low, high: Self.waitingByteCounts.high)
            )
            .channelInitializer { channel in
                attempt.opened(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try Self.checkReserve(channel)
                    guard let report else { return }
                    try channel.pipeline.syncOperations.addHandler(ConnectAttemptHandler(report))
                }
            }
            .connectTimeout(.hours(1))  // the deadline of the caller applies instead, and includes the TLS handshake
        switch place {
        case .unixSocket(let path):
            return bootstrap.connect(unixDomainSocketPath: path)
        case .address(let address):
            return bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1).connect(to: address)
        case .host(let host, let port, let addresses):
            return bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .resolver(KnownAddresses(addresses, on: eventLoop)).connect(host: host, port: port)
        }
    }

    /// Creates the connection over a channel, on its event loop; `base` carries the bytes of a channel without a socket.
    func connection(over channel: any Channel, inside base: (any Connection)?) throws -> NIOConnection {
        let network = Self.network(of: channel)
        let inbox = Inbox(limit: NIOConnection.receiveLimit, clock: self.clock, source: network)
        let outbox = Outbox(limit: NIOConnection.sendLimit, clock: self.clock)
        let handler = ConnectionHandler(inbox: inbox, outbox: outbox, channelKnowsUnsent: network != nil)
        let connection = NIOConnection(
            channel: channel,
            handler: NIOLoopBound(handler, eventLoop: channel.eventLoop),
            inbox: inbox,
            outbox: outbox,
            tls: (self.contexts, self.clock),
            inside: base,
            network: network
        )
        do {
            try channel.pipeline.syncOperations.addHandler(handler)
            return connection
        } catch {
            connection.close()
            throw error
        }
    }
}

extension NIOConnector: LayeringConnector {
    package func layer(over connection: any Connection) async throws(ConnectionError) -> any Connection {
        let ownEventLoop = (connection.executor as? EventLoopExecutor)?.eventLoop
        let eventLoop = if let ownEventLoop { ownEventLoop } else { try self.nextEventLoop() }
        let layer = eventLoop.submit {
            try self.connection(over: LayeredChannel(over: connection, on: eventLoop), inside: connection)
        }
        do {
            return try await layer.get()
        } catch {
            throw ConnectionError(error)
        }
    }
}

/// Runs tasks on the thread of an event loop, on which their connections run, too.
final class EventLoopExecutor: TaskExecutor {
    private let chosen: Mutex<(any EventLoop)?>

    /// Creates an executor; without a loop, the executor takes one of the process's loops when it first needs a loop.
    init(_ eventLoop: (any EventLoop)? = nil) { self.chosen = Mutex(eventLoop) }

    var eventLoop: any EventLoop {
        self.chosen.withLock { chosen in
            if let chosen { return chosen }
            let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
            chosen = eventLoop
            return eventLoop
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
