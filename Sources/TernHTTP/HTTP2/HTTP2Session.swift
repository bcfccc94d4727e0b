// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
@_spi(CrossModuleInlining) import TernHTTP2
import TernRequests
import TernTransport

/// A connection that uses HTTP/2 (RFC 9113): many exchanges at the same time, each on its own stream.
///
/// Everything is encoded under one lock, because field blocks must arrive in the order of their encoding (RFC 7541 §2.2), and
/// handed to the connection outside of it.
final class HTTP2Session: HTTPSession {
    struct Locked: TimedState {
        var machine: HTTP2ConnectionStateMachine
        var streams = StreamTable<HTTP2ExchangeStream>()
        var uploads = UploadQueue()
        var output = HTTP2Output()
        var keepAlive: KeepAliveStateMachine
        var timer: ScheduledAction?
        var settingsWaits: [Suspension<Result<Void, ConnectionError>>] = []
        var report: (@Sendable (SessionEvent) -> Void)?
        var reportedCapacity: Int
        var hasReportedEnd = false
        var effects: [HTTP2Effect] = []
        /// The news for tasks, which the thread tells after it has released the lock.
        var news: [News] = []
        /// Closes the connection when a thread that hands over has finished.
        var closing: (@Sendable () -> Void)?

        var armedInstant: ClockInstant? { self.keepAlive.armedInstant }

        /// Moves what the machine has written to the output.
        mutating func moveOutput() {
            guard !self.machine.output.isEmpty else { return }
            self.output.append(self.machine.output)
            self.machine.discardOutput()
        }
    }

    /// An event that a task must learn of, outside of the lock.
    enum News: Sendable {
        case ended(UnsentContent.Wait, Result<Void, ConnectionError>)
        case failed(HTTP2ExchangeStream, ResponseFailure)
        case requestStopped(HTTP2ExchangeStream)

        func tell() {
            switch self {
            case .ended(let wait, let result): wait.resume(with: result)
            case .failed(let stream, let failure): stream.fail(failure)
            case .requestStopped(let stream): stream.stopRequest()
            }
        }
    }

    let connection: any Connection
    /// Receives bytes on the thread of a stream's reader; `nil` if the connection cannot.
    let source: (any InboxSource)?
    let settings: ExchangeSettings
    let clock: any TransportClock
    let timers: TimerGroup
    /// The instant from which the core counts its time.
    let start: ClockInstant
    let locked: ShortMutex<Locked>
    /// Whether the session may begin an exchange; the pool reads it without the lock, and once `false`, it stays `false`.
    let acceptsExchanges = Atomic<Bool>(true)

    init(
        _ connection: any Connection,
        _ settings: ExchangeSettings,
        clock: any TransportClock,
        roundTrip: Duration? = nil
    ) {
        let flow = roundTrip.map { settings.http2.flow.sized(for: $0) } ?? settings.http2.flow
        let machine = HTTP2ConnectionStateMachine(limits: settings.http2.limits, flow: flow)
        self.connection = connection
        self.source = (connection as? any SourcedConnection)?.source
        self.settings = settings
        self.clock = clock
        self.timers = TimerGroup(clock)
        self.start = clock.now
        let capacity = machine.peerSettings.maximumConcurrentStreams
        let keepAlive = KeepAliveStateMachine(settings.http2.keepAlive)
        self.locked = ShortMutex(Locked(machine: machine, keepAlive: keepAlive, reportedCapacity: capacity))
    }

    // MARK: The pool's side

    var capacity: Int { self.locked.withLock { $0.reportedCapacity } }

    var isMultiplexed: Bool { true }

    var isReady: Bool { self.acceptsExchanges.load(ordering: .relaxed) }

    var opensWebSockets: Bool { self.locked.withLock { $0.machine.peerSettings.offersExtendedConnect } }

    func exchange(
        _ request: OutgoingRequest,
        for call: HTTPCall,
        in slot: Slot
    ) async throws(ExchangeFailure) -> (reply: HTTPReply, hasReadBody: Bool) {
        let codec = HTTP2Codec(for: call, on: self)
        // Wait for `100 Continue` only if the caller asked for it. Many servers do not send 100 over HTTP/2. A server
        // that refuses a body can keep it back with its windows and RST_STREAM.
        let request = request.addedExpectation ? OutgoingRequest(withoutExpectation: request) : request
        return try await Exchange(request, for: call, by: codec, in: slot, self.settings).run()
    }

    func start(reporting report: @escaping @Sendable (SessionEvent) -> Void) {
        _ = self.perform { $0.report = report }
        self.read()
    }

    /// Tells the server that no streams follow, and closes the connection; running exchanges fail.
    func close(then action: @escaping @Sendable () -> Void) {
        let (timer, _) = self.perform { locked in
            locked.report = nil
            locked.machine.goAway()
            self.acceptsExchanges.store(false, ordering: .relaxed)
            locked.keepAlive.ended()
            return locked.timer.take()
        }
        timer?.cancel()
        self.closeAfterOutput { [connection] in connection.close(then: action) }
    }

    /// Waits for the server's settings, with which its preface begins (RFC 9113 §3.4).
    func waitForSettings(deadline: CallDeadline?) async throws(ConnectionError) {
        let wait = self.locked.withLock { locked -> Suspension<Result<Void, ConnectionError>>? in
            guard !locked.machine.hasPeerSettings, !locked.machine.hasFailed else { return nil }
            let wait = Suspension<Result<Void, ConnectionError>>()
            locked.settingsWaits.removeAll { $0.isResolved }  // those of cancelled calls
            locked.settingsWaits.append(wait)
            return wait
        }
        try await wait?.success(until: deadline, on: self.clock)
    }

    // MARK: Streams

    func reset(_ id: HTTP2StreamID, _ code: HTTP2ErrorCode = .cancel) {
        _ = self.perform { locked in
            locked.streams[id] = nil
            locked.machine.reset(id, code)
            _ = self.streamsChanged(&locked)
        }
    }

    func updatePriority(of id: HTTP2StreamID, _ priority: RequestPriority) {
        _ = self.perform { $0.machine.updatePriority(of: id, priority.fieldValue) }
    }

    /// The number of bytes to read before a report: enough to seldom need the lock, and a small part of the smallest window.
    var reportedByteCount: Int { self.settings.http2.flow.initialStreamWindowByteCount / 16 }

    func consumed(_ byteCount: Int, on id: HTTP2StreamID) {
        _ = self.perform { $0.machine.consumed(byteCount, on: id) }
    }

    /// Records that streams were opened or closed; returns the instant for the keep-alive timer if it must be set.
    func streamsChanged(_ locked: inout Locked) -> ClockInstant? {
        locked.keepAlive.streamsChanged(to: locked.machine.activeStreamCount, now: self.clock.now)
    }

    // MARK: The lock

    /// Calls `body` under the lock, and then hands over what it has encoded, or leaves that to the thread that hands over.
    ///
    /// - Returns: The value of `body`; whether the connection had room when it last took something, or its failure.
    func perform<Value: Sendable>(
        _ body: (inout Locked) -> Value
    ) -> (value: Value, handing: Result<Bool, ConnectionError>) {
        let (value, news, batch, hasRoom) = self.locked.withLock { locked in
            let value = body(&locked)
            locked.moveOutput()
            return (value, Self.takeNews(&locked), locked.output.take(), locked.output.hasRoom)
        }
        let handing = batch.map { self.handOver($0) } ?? .success(hasRoom)
        for one in news { one.tell() }
        return (value, handing)
    }

    private static func takeNews(_ locked: inout Locked) -> [News] {
        guard !locked.news.isEmpty else { return [] }
        defer { locked.news = [] }
        return locked.news
    }

    /// Hands a batch to the connection, and then what others have encoded meanwhile.
    private func handOver(_ first: consuming HTTP2Output.Batch) -> Result<Bool, ConnectionError> {
        var next: HTTP2Output.Batch? = first
        var result = Result<Bool, ConnectionError>.success(true)
        // Told at the end: until then, the other threads leave their output to this one.
        var news: [News] = []
        var closing: (@Sendable () -> Void)?
        while let batch = next.take() {
            let outcome = batch.enqueue(on: self.connection)
            result = outcome.result
            next = self.locked.withLock { locked in
                locked.output.handedOver(outcome)
                if case .failure(let error) = outcome.result {
                    // First, so that a call that fails now does not come back to this session.
                    self.acceptsExchanges.store(false, ordering: .relaxed)
                    locked.failUntaken(error)
                }
                self.takeTurns(&locked)
                locked.moveOutput()
                news += Self.takeNews(&locked)
                let following = locked.output.take()
                if following == nil { closing = locked.closing.take() }
                return following
            }
        }
        if case .failure = result { self.reportEnd() }
        for one in news { one.tell() }
        closing?()
        return result
    }

    /// Calls `action`, which closes the connection, when the connection has taken what was encoded.
    func closeAfterOutput(_ action: @escaping @Sendable () -> Void) {
        let isBusy = self.locked.withLock { locked in
            guard locked.output.isBusy else { return false }
            let earlier = locked.closing
            locked.closing = {
                earlier?()
                action()
            }
            return true
        }
        if !isBusy { action() }
    }
}

extension HTTP2Session.Locked {
    /// Ends the streams of which the connection has taken nothing, so that another connection can get their requests.
    fileprivate mutating func failUntaken(_ error: ConnectionError) {
        for number in self.streams.keys where !self.output.hasTaken(HTTP2StreamID(rawValue: number)) {
            guard let stream = self.streams.removeValue(for: number) else { continue }
            self.news.append(.failed(stream, .opening(.connection(error))))
        }
    }
}

extension StreamTable {
    subscript(id: HTTP2StreamID) -> Value? {
        get { self[id.rawValue] }
        set { self[id.rawValue] = newValue }
    }

    mutating func removeValue(for id: HTTP2StreamID) -> Value? { self.removeValue(for: id.rawValue) }
}
