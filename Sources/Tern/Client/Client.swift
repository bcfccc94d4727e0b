// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernConnections
public import TernErrors
import TernHTTP
import TernNIO
public import TernRequests
public import TernTransport

/// A client that fetches, uploads, downloads and streams over HTTP and HTTPS.
///
/// ```swift
/// let client = Client()
/// let (data, response) = try await client.data(from: url)
/// ```
///
/// A client keeps connections open for the next call to the same server. Create one client, and use it for all calls that share
/// settings; any number of tasks may use it at the same time. Idle connections close when the client is deallocated. Every method
/// throws only `ClientError`. Cancelling the task ends its call with `ClientError.cancelled`, at once, unless the call is decoding,
/// or waits, for example, for the disk or an interceptor.
public final class Client: Sendable {
    /// A shared client with default settings.
    public static let shared = Client()

    /// The client's settings, fixed when the client is created.
    public let configuration: Configuration
    package let delegate: (any TaskDelegate)?
    /// An executor that runs tasks on a thread that also serves connections; `nil` if the transport has none.
    ///
    /// A task that prefers this executor, with `withTaskExecutorPreference`, shares its thread with the connections that it
    /// opens. That saves processor time while many requests are in flight. The task must not block or compute for long, because
    /// its connections wait meanwhile.
    public let executor: (any TaskExecutor)?

    package let clock: any TransportClock
    private let isObserved: Bool
    private let stages: NextStages
    private let requiredStages: NextStages
    private let optionalStages: [any Stage]
    private let fieldsWithAcceptEncoding: HTTPFields
    private let caching: CacheSession

    /// Creates a client that uses the network, and retains its delegate, which handles the challenges and events of every call.
    public convenience init(configuration: Configuration = Configuration(), delegate: (any TaskDelegate)? = nil) {
        let connector = NIOConnector(threading: configuration.pollsForAnswers ? .callersThatPoll : .callers)
        self.init(configuration: configuration, delegate: delegate, connector: connector, clock: SystemClock())
    }

    /// Creates a client that uses a custom connector, such as the one in `TernTesting`.
    ///
    /// - Parameters:
    ///   - configuration: The client's settings.
    ///   - delegate: Handles the challenges and events of every call; the client retains it.
    ///   - connector: Makes the connections.
    ///   - clock: The clock for time limits, delays and dates. It must be the clock with which the connector compares deadlines.
    public convenience init(
        configuration: Configuration = Configuration(),
        delegate: (any TaskDelegate)? = nil,
        connector: any Connector,
        clock: any TransportClock = SystemClock()
    ) {
        let router = configuration.makeRouter()
        let resources = StageResources(configuration, router: router)
        let transport = HTTPTransport(configuration.transport(router, resources), connector: connector, clock: clock)
        self.init(configuration, delegate, transport, resources, connector.executor, clock)
    }

    /// Creates a client that sends its requests through a custom transport instead of the network.
    ///
    /// - Parameters:
    ///   - configuration: The client's settings. Those for the built-in transport, such as ``Configuration/pool``,
    ///     ``Configuration/tls`` and ``Configuration/proxy``, have no effect.
    ///   - delegate: Handles the challenges and events of every call; the client retains it.
    ///   - transport: Sends each request and returns its response.
    ///   - executor: An executor that runs tasks on a thread of the transport, or `nil` if the transport has none.
    ///   - clock: The clock for time limits, delays and dates.
    public convenience init(
        configuration: Configuration = Configuration(),
        delegate: (any TaskDelegate)? = nil,
        transport: any Transport,
        executor: (any TaskExecutor)? = nil,
        clock: any TransportClock = SystemClock()
    ) {
        let resources = StageResources(configuration, router: nil)
        self.init(configuration, delegate, transport, resources, executor, clock)
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
        self.fieldsWithAcceptEncoding = Self.fieldsWithAcceptEncoding(configuration)
        self.caching = resources.caching
        let stages = Self.stages(configuration, resources)
        self.stages = NextStages(stages.map(\.interceptor), transport: transport)
        self.requiredStages = NextStages(stages.filter { !$0.isIdle }.map(\.interceptor), transport: transport)
        self.optionalStages = stages.compactMap(\.idleStage)
    }

    deinit { self.caching.cancel() }

    /// Sends a request through the stages of the client, and returns when the head of the final response has arrived.
    ///
    /// Use this method when none of the other methods fits. The client retains the delegate until the body is read or released, or
    /// the server accepts an upgrade. Throws `ClientError`, as ``data(for:delegate:)`` does, but no `maximumBodyByteCount` applies.
    public func reply(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> HTTPReply {
        let (call, reply) = try await self.exchange(request, delegate)
        return reply.completing(call)
    }

    /// Sends a request like ``reply(for:delegate:)``, and also returns the call, for the context of errors in the body; unless it
    /// throws, its caller must tell the delegates when the call ends.
    func exchange(
        _ request: Request,
        _ delegate: (any TaskDelegate)?
    ) async throws(ClientError) -> (call: HTTPCall, reply: HTTPReply) {
        guard let body = request.body?.claimedByCall() else { return try await self.beginning(request, delegate) }
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

    private func beginning(
        _ request: Request,
        written body: RequestBody,
        _ delegate: (any TaskDelegate)?
    ) async throws(ClientError) -> (call: HTTPCall, reply: HTTPReply) {
        var request = request
        if request.problem == nil { request.body = body }  // assigning the body would clear the recorded problem
        do throws(ClientError) {
            let (answered, reply) = try await self.beginning(request, delegate)
            var call = answered
            // A status of 300 or more ends the upload. After any other status, the upload may continue, and its task
            // retains the body.
            if reply.response.statusCode >= 300 { body.endCall() }
            call.request.body = nil
            return (call, reply)
        } catch {
            body.endCall()
            throw error
        }
    }

    @inline(__always)  // saves a stack frame and a copy of the request
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

    func delegation(for request: Request, _ delegate: (any TaskDelegate)?) -> TaskDelegation? {
        guard delegate != nil || self.isObserved else { return nil }
        return self.delegation(observing: request, delegate)
    }

    func delegation(observing request: Request, _ delegate: (any TaskDelegate)?) -> TaskDelegation {
        TaskDelegation(
            TaskDelegation.Delegates(own: delegate, shared: self.delegate),
            request,
            monitors: self.configuration.monitors,
            self.clock
        )
    }

    /// Tells the delegates about a call that fails before it begins, and returns the error.
    func refusing(
        _ error: ClientError,
        _ request: Request,
        _ delegate: (any TaskDelegate)?
    ) async -> ClientError {
        request.body?.endCall()  // the task that writes the body may be waiting for the call
        await self.delegation(for: request, delegate)?.finish(error)
        return error
    }

    func stages(for call: HTTPCall) -> NextStages {
        if !call.request.options.hasKeyedOptions, call.observer == nil { return self.requiredStages }
        return self.optionalStages.contains { $0.isNeeded(by: call) } ? self.stages : self.requiredStages
    }

    /// Whether the client can send the request as it is: the client has no base URL, and the request asks for no compression.
    private func isComplete(_ request: Request) -> Bool {
        self.configuration.baseURL == nil && request.options.compression == nil
    }

    func prepared(
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
            // Without compression, return here: the compression below would switch to another executor.
            guard resolved.options.compression != nil else { return resolved }
            let limit = resolved.options.timeouts(default: self.configuration.timeouts).call
            let timeLimit = BodyCompression.TimeLimit(
                deadline: limit.map { CallDeadline(.call, limit: $0, from: start) },
                clock: self.clock
            )
            return try await BodyCompression.applied(to: resolved, timeLimit)
        } catch {
            throw await self.refusing(error, request, delegate)
        }
    }

    private func complete(_ request: inout Request) {
        let asksForCodings = self.asksForCodings(request)
        if request.fields.isEmpty {
            request.fields = asksForCodings ? self.fieldsWithAcceptEncoding : self.configuration.defaultFields
            return
        }
        // If the request sets Accept-Encoding or Range itself, return the content as the server sent it.
        if !asksForCodings, request.options.decodesContent == nil { request.options.decodesContent = false }
        let own = request.fields  // without the fields added below, of which several may have one name
        for field in asksForCodings ? self.fieldsWithAcceptEncoding : self.configuration.defaultFields
        where !own.contains(field.name) {
            request.fields.append(field)
        }
    }

    private func asksForCodings(_ request: Request) -> Bool {
        guard request.options.decodesContent ?? self.configuration.decodesContent else { return false }
        return !request.fields.contains(.acceptEncoding) && !request.fields.contains(.range)
    }

    private static func fieldsWithAcceptEncoding(_ configuration: Configuration) -> HTTPFields {
        var fields = configuration.defaultFields
        if !fields.contains(.acceptEncoding) {
            fields[.acceptEncoding] = ContentCodings(codecs: configuration.contentCodecs).accepted
        }
        return fields
    }

    func call(
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
        let upgrade = OfferedUpgrade(request.fields)  // before the client's own fields, which offer none
        self.complete(&request)
        var call = HTTPCall(
            consume request,
            to: destination,
            timeouts: timeouts,
            clock: self.clock,
            observer: delegation,
            decider: delegation?.decider,
            start: start,
            upgrade: upgrade
        )
        if let delegation { call.delegation = delegation }
        return call
    }
}
