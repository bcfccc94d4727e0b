// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernConnections

/// Makes connections in memory, each to a server that is a closure, so that a test needs no network.
///
/// Bytes go through the same mailbox code as those of a socket, back-pressure and deadlines included.
///
/// ```swift
/// let connector = MemoryConnector { request in .response(body: "You asked for \(request.target)") }
/// let client = Client(connector: connector)
/// ```
///
/// Releasing the connector cancels its servers.
public final class MemoryConnector: Connector {
    /// Serves one connection; when it returns, the connection is closed unless it was ended otherwise.
    ///
    /// If it throws, the client's call fails with `ClientError.interceptorFailed` and the error's description. A
    /// `ConnectionError` and a cancellation only close the connection, since the client has gone then.
    public typealias Server = @Sendable (ServerConnection) async throws -> Void

    /// What a server presents when TLS is negotiated, and what is thought of it.
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
    /// How long a server waits for the rest of what the client has begun to send.
    private let waitLimit = WaitLimit.current
    private let serve: Server
    private let trust: Trust

    /// Creates a connector whose connections are served by a closure.
    ///
    /// - Parameters:
    ///   - plan: what becomes of attempts for which none was given by ``plan(_:)``; accepts them by default.
    ///   - clock: what deadlines go by; the system's by default.
    ///   - capacity: how many bytes each end of a connection buffers; 64 KiB by default.
    ///   - trust: what servers present when TLS is negotiated, in name only: nothing is encrypted; what is trusted by
    ///     default.
    ///   - server: serves one connection, in a task of its own.
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

    /// Creates a connector whose connections are served from a script.
    public convenience init(
        _ server: ScriptedServer,
        plan: ConnectionPlan = .accept(),
        clock: any TransportClock = SystemClock(),
        capacity: Int = 64 << 10,
        trust: @escaping Trust = { ServerTrust(host: $0, chain: [Array($0.utf8)]) }
    ) {
        self.init(plan: plan, clock: clock, capacity: capacity, trust: trust, connection: { await server.serve($0) })
    }

    /// Creates a connector whose server answers each request by a closure.
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

    // MARK: What happens and what happened

    /// Says what becomes of the next attempts, one each, in order; adds to what was said before.
    public func plan(_ plans: ConnectionPlan...) { self.state.update { $0.plans += plans } }

    /// Where connections were asked for, oldest first, failed attempts included.
    public var endpoints: [ConnectionEndpoint] { self.state.value.endpoints }

    /// How often a connection was asked for.
    public var attemptCount: Int { self.state.value.endpoints.count }

    /// How many connections the client has and has not closed.
    public var openCount: Int { self.state.value.openCount }

    /// Waits until a connection was asked for `count` times in all; returns at once if the task is cancelled.
    ///
    /// - Parameter count: How many times, from the beginning on.
    /// - Throws: ``TestStallError`` when there are fewer after a minute of real time.
    public func waitForAttempts(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: "\(count) attempts to connect") { state in
            state.endpoints.listed({ "\($0)" }, none: "none")
        } until: { state in
            state.endpoints.count >= count
        }
    }

    /// Waits until the client has `count` open connections; returns at once if the task is cancelled.
    ///
    /// - Parameter count: How many.
    /// - Throws: ``TestStallError`` when there are more or fewer after a minute of real time.
    public func waitForOpen(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: "\(count) open connections", butFound: { "\($0.openCount)" }) { state in
            state.openCount == count
        }
    }

    /// Waits until no server runs any more; returns at once if the task is cancelled.
    ///
    /// - Throws: ``TestStallError`` when one still runs after a minute of real time.
    public func waitForServers() async throws(TestStallError) {
        try await self.state.wait(for: "the end of all servers") { state in
            "those of connections \(state.servers.keys.sorted().listed({ "\($0)" }, none: ""))"
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
