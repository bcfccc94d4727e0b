// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernConnections
public import TernErrors
import TernHTTP
import TernNIO
public import TernRequests
public import TernTransport

/// Fetches, uploads, downloads and streams over HTTP and HTTPS.
///
/// ```swift
/// let client = Client()
/// let (data, response) = try await client.data(from: url)
/// ```
///
/// A client keeps connections open for the next call to the same server. Make one and use it for everything that shares
/// settings; it may be used from any number of tasks at once. Releasing it closes what is idle; it needs no shutting
/// down.
///
/// Every method throws `ClientError` and nothing else. Cancelling the surrounding task ends a call at once.
public final class Client: Sendable {
    /// A client with default settings, shared by all that need no others.
    public static let shared = Client()

    /// The settings; they cannot change once the client is made.
    public let configuration: Configuration
    /// Receives the events of every call, in addition to the delegate of the call itself; `nil` for none.
    package let delegate: (any TaskDelegate)?
    /// An executor on which tasks are closest to the network, or `nil` where there is none.
    ///
    /// A task that prefers it needs no hop between threads for a round trip, which pays most for one after the other over TLS; it must not
    /// block or compute for long, since it shares its thread with connections.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(client.executor) { await fetchAll() }
    /// ```
    public let executor: (any TaskExecutor)?

    let clock: any TransportClock
    /// Whether a delegate or a monitor observes every call.
    private let isObserved: Bool
    private let stages: NextStages
    /// Those that the settings ask for.
    private let busyStages: NextStages
    /// The others, which a call may ask for.
    private let idleStages: [any Stage]
    private let codedFields: HTTPFields
    private let caching: CacheSession

    /// Creates a client that uses the network.
    ///
    /// - Parameters:
    ///   - configuration: the settings; the defaults suit most programs.
    ///   - delegate: Receives the events of every call. Retained as long as the client. Defaults to `nil`.
    public convenience init(configuration: Configuration = Configuration(), delegate: (any TaskDelegate)? = nil) {
        self.init(configuration: configuration, delegate: delegate, connector: NIOConnector(), clock: SystemClock())
    }

    /// Creates a client over other connections than the network's, such as those of `TernTesting`.
    ///
    /// - Parameters:
    ///   - configuration: the settings; the defaults by default.
    ///   - delegate: Receives the events of every call. Defaults to `nil`.
    ///   - connector: makes the connections.
    ///   - clock: what all limits of time go by; the system's by default.
    public convenience init(
        configuration: Configuration = Configuration(),
        delegate: (any TaskDelegate)? = nil,
        connector: any Connector,
        clock: any TransportClock = SystemClock()
    ) {
        let resources = StageResources(configuration)
        let transport = HTTPTransport(configuration.transport(resources), connector: connector, clock: clock)
        self.init(configuration, delegate, transport, resources, connector.executor, clock)
    }

    /// Creates a client that sends its exchanges through a custom transport.
    ///
    /// - Parameters:
    ///   - configuration: the settings that do not concern the transport; the defaults by default.
    ///   - delegate: Receives the events of every call. Defaults to `nil`.
    ///   - transport: performs the exchanges.
    ///   - executor: where tasks are closest to the transport; none by default.
    ///   - clock: what all limits of time go by; the system's by default.
    public convenience init(
        configuration: Configuration = Configuration(),
        delegate: (any TaskDelegate)? = nil,
        transport: any Transport,
        executor: (any TaskExecutor)? = nil,
        clock: any TransportClock = SystemClock()
    ) {
        self.init(configuration, delegate, transport, StageResources(configuration), executor, clock)
    }

    private init(
        _ configuration: Configuration,
        _ delegate: (any TaskDelegate)?,
        _ transport: any Transport,
        _ resources: StageResources,
        _ executor: (any TaskExecutor)?,
        _ clock: any TransportClock
    ) {
        self.configuration = configuration
        self.delegate = delegate
        self.executor = executor
        self.clock = clock
        self.isObserved = delegate != nil || configuration.collectsMetrics || !configuration.monitors.isEmpty
        self.codedFields = Self.codedFields(configuration)
        self.caching = resources.caching
        let stages = Self.stages(configuration, resources)
        self.stages = NextStages(stages, transport: transport)
        self.busyStages = NextStages(stages.filter { ($0 as? any Stage)?.isIdle != true }, transport: transport)
        self.idleStages = stages.compactMap { $0 as? any Stage }.filter(\.isIdle)
    }

    /// What is done for the cache alone ends with the client.
    deinit { self.caching.cancel() }

    /// Sends a request through all stages; returns when the head of the final response is here.
    ///
    /// The verbs are made of this; use it where none of them fits.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: Handles this call's challenges and events. Retained until its body is read or released. Defaults to `nil`.
    /// - Returns: the response, and its body, which is read as it is asked for.
    /// - Throws: `ClientError`; `.cancelled` when the task is cancelled.
    public func reply(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> HTTPReply {
        let (call, reply) = try await self.exchange(request, delegate)
        return reply.completing(call)
    }

    /// As ``reply(for:delegate:)``, with the call, which knows the context of errors that come later.
    ///
    /// The call's delegates are told when this throws; when it does not, the caller tells them of the end.
    func exchange(
        _ request: Request,
        _ delegate: (any TaskDelegate)?
    ) async throws(ClientError) -> (call: HTTPCall, reply: HTTPReply) {
        guard let body = request.body?.ofCall() else { return try await self.beginning(request, delegate) }
        return try await self.beginning(request, written: body, delegate)
    }

    private func beginning(
        _ request: Request,
        _ delegate: (any TaskDelegate)?
    ) async throws(ClientError) -> (call: HTTPCall, reply: HTTPReply) {
        guard self.isComplete(request) else {
            let start = self.clock.now
            return try await self.begin(try await self.prepared(request, delegate, from: start), delegate, from: start)
        }
        return try await self.begin(request, delegate, from: self.clock.now)
    }

    /// As ``beginning(_:_:)``, for a body that is written while the call goes on: its writer learns when no more is needed.
    private func beginning(
        _ request: Request,
        written body: RequestBody,
        _ delegate: (any TaskDelegate)?
    ) async throws(ClientError) -> (call: HTTPCall, reply: HTTPReply) {
        var request = request
        if request.problem == nil { request.body = body }  // assigning it would clear a problem
        do throws(ClientError) {
            let (answered, reply) = try await self.beginning(request, delegate)
            var call = answered
            // No upload goes on behind such an answer. Behind others it may, and then has the body itself.
            if reply.response.statusCode >= 300 { body.endCall() }
            call.request.body = nil
            return (call, reply)
        } catch {
            body.endCall()
            throw error
        }
    }

    @inline(__always)  // no frame more, and no copy of the request, for those that need nothing made of them
    private func begin(
        _ request: Request,
        _ delegate: (any TaskDelegate)?,
        from start: ClockInstant
    ) async throws(ClientError) -> (call: HTTPCall, reply: HTTPReply) {
        guard let delegation = self.delegation(for: request, delegate) else {
            let call = try self.call(request, nil, from: start)
            return (call, try await self.stages(for: call).respond(to: call))
        }
        do throws(ClientError) {
            let call = try self.call(request, delegation, from: start)
            delegation.begin(call)
            var reply = try await self.stages(for: call).respond(to: call)
            reply.response = reply.response.measured(by: delegation.meter)
            return (call, reply)
        } catch {
            await delegation.finish(error)
            throw error
        }
    }

    /// The delegation that observes a call; `nil` if none does.
    private func delegation(for request: Request, _ delegate: (any TaskDelegate)?) -> TaskDelegation? {
        guard delegate != nil || self.isObserved else { return nil }
        return TaskDelegation(
            TaskDelegation.Delegates(own: delegate, shared: self.delegate),
            request,
            monitors: self.configuration.monitors,
            self.clock
        )
    }

    /// Tells the delegates of a call that ends before it begins.
    ///
    /// - Returns: the error, to be thrown.
    func refusing(
        _ error: ClientError,
        _ request: Request,
        _ delegate: (any TaskDelegate)?
    ) async -> ClientError {
        request.body?.endCall()  // a task may write it and wait for the call
        await self.delegation(for: request, delegate)?.finish(error)
        return error
    }

    private func stages(for call: HTTPCall) -> NextStages {
        if call.request.options.isEmpty, call.observer == nil { return self.busyStages }
        return self.idleStages.contains { $0.isNeeded(by: call) } ? self.stages : self.busyStages
    }

    /// Whether nothing of the request has to be made before its call begins.
    private func isComplete(_ request: Request) -> Bool {
        self.configuration.baseURL == nil && (request.options.isEmpty || request.options.compression == nil)
    }

    private func prepared(
        _ request: Request,
        _ delegate: (any TaskDelegate)?,
        from start: ClockInstant
    ) async throws(ClientError) -> Request {
        do throws(ClientError) {
            let resolved: Request
            do throws(RequestFailure) {
                resolved = try self.configuration.resolve(request)
            } catch {
                throw .invalidRequest(error, ClientError.Context(phase: .prepare))
            }
            // No hop to another executor for those with a base only.
            guard resolved.options.compression != nil else { return resolved }
            let limit = resolved.options.timeouts(default: self.configuration.timeouts).call
            let patience = BodyCompression.Patience(
                deadline: limit.map { CallDeadline(.call, limit: $0, from: start) },
                clock: self.clock
            )
            return try await BodyCompression.applied(to: resolved, patience)
        } catch {
            throw await self.refusing(error, request, delegate)
        }
    }

    /// Gives a request the client's fields, where it does not have them itself.
    private func complete(_ request: inout Request) {
        let asksForCodings = self.asksForCodings(request)
        if request.fields.isEmpty {
            request.fields = asksForCodings ? self.codedFields : self.configuration.defaultFields
            return
        }
        // Who says what is accepted, or wants a part, gets it as it is.
        if !asksForCodings, request.options.decodesContent == nil { request.options.decodesContent = false }
        for field in asksForCodings ? self.codedFields : self.configuration.defaultFields
        where !request.fields.contains(field.name) {
            request.fields.append(field)
        }
    }

    /// Whether the client asks for compressed content on behalf of the request.
    private func asksForCodings(_ request: Request) -> Bool {
        guard request.options.decodesContent ?? self.configuration.decodesContent else { return false }
        return !request.fields.contains(.acceptEncoding) && !request.fields.contains(.range)
    }

    /// The default fields, and what the client can decode, unless they say otherwise.
    private static func codedFields(_ configuration: Configuration) -> HTTPFields {
        var fields = configuration.defaultFields
        if !fields.contains(.acceptEncoding) { fields[.acceptEncoding] = ContentDecoding.acceptedCodings }
        return fields
    }

    private func call(
        _ request: Request,
        _ delegation: TaskDelegation?,
        from start: ClockInstant
    ) throws(ClientError) -> HTTPCall {
        let destination: Destination
        do throws(RequestFailure) {
            destination = try request.destination()
        } catch {
            throw .invalidRequest(error, ClientError.Context(phase: .prepare))
        }
        let timeouts = request.options.timeouts(default: self.configuration.timeouts)
        var request = request
        self.complete(&request)
        var call = HTTPCall(
            consume request,
            to: destination,
            timeouts: timeouts,
            clock: self.clock,
            observer: delegation,
            decider: delegation?.decider,
            start: start
        )
        if let delegation { call.delegation = delegation }
        return call
    }
}
