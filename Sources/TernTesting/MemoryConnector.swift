// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernConnections
public import TernTransport

/// A connector that makes connections in memory, so that a test needs no network.
///
/// A closure or a ``ScriptedServer`` serves the connections. The bytes pass through the same buffers as the bytes of a socket, with
/// back-pressure and deadlines.
///
/// ```swift
/// let connector = MemoryConnector { request in
///     .response(body: "You asked for \(request.target)")
/// }
/// let client = Client(connector: connector)
/// ```
///
/// Releasing the connector cancels the tasks of its servers.
public final class MemoryConnector: Connector {
    /// Serves one connection, which the connector closes when the closure returns.
    ///
    /// If the closure throws while the connection is open, calls that use it fail with `ClientError.interceptorFailed`, which
    /// describes the error. After a `ConnectionError`, a `CancellationError` or `ScriptedServerError.truncatedRequest`, the
    /// connector only closes the connection.
    public typealias Server = @Sendable (ServerConnection) async throws -> Void

    /// Returns the certificate that a server presents when the client starts TLS, and whether the certificate is trusted.
    public typealias Trust = @Sendable (_ host: String) -> ServerTrust

    struct State: Sendable {
        var plans: [ConnectionPlan] = []
        var endpoints: [ConnectionEndpoint] = []
        var openCount = 0
        var lastNumber = 0
    }

    let state = Observed(State())
    private let plan: ConnectionPlan
    private let clock: any TransportClock
    private let capacity: Int
    private let waitLimit = WaitLimit.current
    private let serve: Server
    private let trust: Trust
    let tasks = ServerTasks()
    let streamCount = Observed(0)
    /// `nil` if the servers use HTTP/1.1 only.
    private let gateway: HTTP2Gateway?

    /// Creates a connector that serves its connections with a closure.
    ///
    /// - Parameters:
    ///   - version: The newest version of HTTP that the servers use. With `.http2`, a client gets it by ALPN (RFC 7301) or with the
    ///     preface of HTTP/2 (RFC 9113 §3.3). The closure still reads and writes HTTP/1.1: its ``ServerConnection`` carries one
    ///     request after another. If requests overlap, the closure runs several times at once, each time with another
    ///     ``ServerConnection``.
    ///   - plan: The outcome of each attempt to connect for which ``plan(_:)`` has set no outcome.
    ///   - clock: The clock for the deadlines of connections and for the pauses of servers.
    ///   - capacity: An end of a connection gets no more bytes while at least this number of bytes wait to be read; a value below 1
    ///     counts as 1.
    ///   - trust: Returns the certificate that a server presents. The bytes are not encrypted, even after the client has started
    ///     TLS.
    ///   - server: Serves one connection, in its own task.
    public init(
        version: HTTPVersion = .http11,
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)], verifiedChain: [Array($0.utf8)]) },
        connection server: @escaping Server
    ) {
        self.trust = trust
        self.plan = plan
        self.clock = clock
        self.capacity = max(1, capacity)
        self.serve = server
        guard version == .http2 else {
            self.gateway = nil
            return
        }
        let lanes = GatewayLanes(
            capacity: self.capacity,
            waitLimit: self.waitLimit,
            clock: clock,
            tasks: self.tasks,
            serve: server
        )
        self.gateway = HTTP2Gateway(lanes, countingIn: self.streamCount)
    }

    /// Creates a connector that serves its connections with a scripted server.
    public convenience init(
        _ server: ScriptedServer,
        version: HTTPVersion = .http11,
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)], verifiedChain: [Array($0.utf8)]) }
    ) {
        self.init(
            version: version,
            plan: plan,
            clock: clock,
            capacity: capacity,
            trust: trust,
            connection: { await server.serve($0) }
        )
    }

    /// Creates a connector whose server answers each request with a closure.
    public convenience init(
        version: HTTPVersion = .http11,
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)], verifiedChain: [Array($0.utf8)]) },
        answer: @escaping ScriptedServer.Answer
    ) {
        self.init(ScriptedServer(answer), version: version, plan: plan, clock: clock, capacity: capacity, trust: trust)
    }

    deinit { self.tasks.cancel() }

    // MARK: Planning

    /// Plans the outcomes of the next attempts to connect, one for each, after those that are already planned.
    public func plan(_ plans: ConnectionPlan...) { self.state.update { $0.plans += plans } }

    // MARK: Connecting

    public func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        let plan = self.state.update { state in
            state.endpoints.append(endpoint)
            return state.plans.isEmpty ? self.plan : state.plans.removeFirst()
        }
        switch plan {
        case .accept(let toClient, let toServer, let faults):
            guard !Task.isCancelled else { throw .cancelled }
            return self.open(toClient, toServer, faults)
        case .refuse(let failure):
            throw failure
        case .hang:
            return try await Suspension<Result<MemoryConnection, ConnectionError>>()
                .success(until: deadline, on: self.clock)
        }
    }

    public func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection {
        let address = endpoint.description
        report?(.attempting(address: address))
        do throws(ConnectionError) {
            let connection = try await self.connect(to: endpoint, deadline: deadline)
            report?(.attempted(address: address, nil))
            return connection
        } catch {
            if case .notConnected(let failure) = error { report?(.attempted(address: address, failure)) }
            throw error
        }
    }

    private func open(_ toClient: [Adversity], _ toServer: [Adversity], _ faults: [HTTP2Fault]) -> MemoryConnection {
        let number = self.state.update { state in
            state.openCount += 1
            state.lastNumber += 1
            return state.lastNumber
        }
        let (client, server) = MemoryConnection.pair(
            capacity: self.capacity,
            clock: self.clock,
            toClient: toClient,
            toServer: toServer,
            trust: self.trust,
            applicationProtocols: self.gateway == nil ? [] : ["h2", "http/1.1"],
            onClose: { [state] in state.update { $0.openCount -= 1 } }
        )
        let connection = ServerConnection(server, number: number, waitLimit: self.waitLimit, clock: self.clock)
        self.tasks.start(connection) { [serve, gateway] connection in
            guard let gateway else { return try await serve(connection) }
            try await gateway.serve(connection, faults: faults)
        }
        return client
    }
}
