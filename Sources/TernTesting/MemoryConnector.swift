// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernConnections

/// Makes connections in memory, so that a test needs no network.
///
/// A closure serves each connection.
///
/// The bytes pass through the same code as the bytes of a socket, including back-pressure and deadlines.
///
/// ```swift
/// let connector = MemoryConnector { request in .response(body: "You asked for \(request.target)") }
/// let client = Client(connector: connector)
/// ```
///
/// Releasing the connector cancels the tasks of its servers.
public final class MemoryConnector: Connector {
    /// Serves one connection.
    ///
    /// When the closure returns, the connector closes the connection if it is still open.
    ///
    /// If the closure throws, the client's call fails with `ClientError.interceptorFailed` and the error's description.
    /// If the error is a `ConnectionError` or a cancellation, the connection is only closed, because the client is
    /// gone.
    public typealias Server = @Sendable (ServerConnection) async throws -> Void

    /// Returns the certificate that a server presents when the client starts TLS, and whether the certificate is
    /// trusted.
    public typealias Trust = @Sendable (_ host: String) -> ServerTrust

    private struct State: Sendable {
        var plans: [ConnectionPlan] = []
        var endpoints: [ConnectionEndpoint] = []
        var openCount = 0
        var lastNumber = 0
        var servers: [Int: Task<Void, Never>] = [:]
        var endedEarly: Set<Int> = []
    }

    private let state = Observed(State())
    private let plan: ConnectionPlan
    private let clock: any TransportClock
    private let capacity: Int
    /// The time that a server waits for the rest of a request or a frame, once the client has begun to send it.
    private let waitLimit = WaitLimit.current
    private let serve: Server
    private let trust: Trust

    /// Creates a connector that serves its connections with a closure.
    ///
    /// - Parameters:
    ///   - plan: The outcome of each attempt to connect after those that ``plan(_:)`` has set. Defaults to accepting
    ///     the connection.
    ///   - clock: The clock for deadlines. Defaults to the system's clock.
    ///   - capacity: The number of bytes that each end of a connection buffers. Defaults to 64 KiB.
    ///   - trust: Returns the certificate that a server presents when the client starts TLS. Defaults to a trusted
    ///     certificate. The bytes on the connection stay unencrypted even then.
    ///   - server: Serves one connection, in its own task.
    public init(
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)]) },
        connection server: @escaping Server
    ) {
        self.trust = trust
        self.plan = plan
        self.clock = clock
        self.capacity = capacity
        self.serve = server
    }

    /// Creates a connector that serves its connections with a scripted server.
    public convenience init(
        _ server: ScriptedServer,
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)]) }
    ) {
        self.init(plan: plan, clock: clock, capacity: capacity, trust: trust, connection: { await server.serve($0) })
    }

    /// Creates a connector whose server answers each request with a closure.
    public convenience init(
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)]) },
        answer: @escaping ScriptedServer.Answer
    ) {
        self.init(ScriptedServer(answer), plan: plan, clock: clock, capacity: capacity, trust: trust)
    }

    deinit { for server in self.state.value.servers.values { server.cancel() } }

    // MARK: Planning and looking

    /// Plans the outcomes of the next attempts to connect, one for each attempt.
    ///
    /// The outcomes follow those that are already planned.
    public func plan(_ plans: ConnectionPlan...) { self.state.update { $0.plans += plans } }

    /// The endpoints of all attempts to connect, oldest first, including failed attempts.
    public var endpoints: [ConnectionEndpoint] { self.state.value.endpoints }

    /// The number of attempts to connect, including failed attempts.
    public var attemptCount: Int { self.state.value.endpoints.count }

    /// The number of connections that the client has not closed.
    public var openCount: Int { self.state.value.openCount }

    /// Waits until the client has made at least `count` attempts to connect in total.
    ///
    /// Returns at once if the task is cancelled.
    ///
    /// - Parameter count: The number of attempts since the connector was created.
    /// - Throws: ``TestStallError`` when there are fewer attempts after a minute of real time.
    public func waitForAttempts(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: "\(count.counted("attempt")) to connect") { state in
            state.endpoints.listed({ "\($0)" }, none: "none")
        } until: { state in
            state.endpoints.count >= count
        }
    }

    /// Waits until the client has exactly `count` open connections.
    ///
    /// Returns at once if the task is cancelled.
    ///
    /// - Parameter count: The number of connections.
    /// - Throws: ``TestStallError`` when there are more or fewer open connections after a minute of real time.
    public func waitForOpen(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: count.counted("open connection"), butFound: { "\($0.openCount)" }) { state in
            state.openCount == count
        }
    }

    /// Waits until no task of a server is running.
    ///
    /// Returns at once if the waiting task is cancelled.
    ///
    /// - Throws: ``TestStallError`` when a server is still running after a minute of real time.
    public func waitForServers() async throws(TestStallError) {
        try await self.state.wait(for: "all servers to end") { state in
            "running servers of the connections \(state.servers.keys.sorted().listed({ "\($0)" }, none: ""))"
        } until: { state in
            state.servers.isEmpty
        }
    }

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
        case .accept(let toClient, let toServer):
            guard !Task.isCancelled else { throw .cancelled }
            return self.open(toClient, toServer)
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

    private func open(_ toClient: [Adversity], _ toServer: [Adversity]) -> MemoryConnection {
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
            onClose: { [state] in state.update { $0.openCount -= 1 } }
        )
        let task = Task.detached { [serve, state, waitLimit] in
            let connection = ServerConnection(server, number: number, waitLimit: waitLimit)
            do {
                try await serve(connection)
                connection.close()
            } catch {
                connection.end(after: error)
            }
            state.update { state in
                if state.servers.removeValue(forKey: number) == nil { state.endedEarly.insert(number) }
            }
        }
        self.state.update { state in
            if state.endedEarly.remove(number) == nil { state.servers[number] = task }
        }
        return client
    }
}
