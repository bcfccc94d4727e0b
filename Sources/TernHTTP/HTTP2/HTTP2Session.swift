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
/// Everything is queued under one lock, because field blocks must arrive in the order of their encoding (RFC 7541 §2.2).
final class HTTP2Session: HTTPSession {
    struct Locked: TimedState {
        var machine: HTTP2ConnectionStateMachine
        var streams = StreamTable<HTTP2ExchangeStream>()
        var uploads = UploadQueue()
        var hasRoomForContent = true
        var keepAlive: KeepAliveStateMachine
        var timer: ScheduledAction?
        var settingsWaits: [Suspension<Result<Void, ConnectionError>>] = []
        var report: (@Sendable (SessionEvent) -> Void)?
        var reportedCapacity: Int
        var hasReportedEnd = false
        var effects: [HTTP2Effect] = []
        /// The number of bytes that the reader has queued since the network last had room.
        var queuedControlByteCount = 0

        var armedInstant: ClockInstant? { self.keepAlive.armedInstant }
    }

    let connection: any Connection
    /// Receives bytes on the thread of a stream's reader; `nil` if the connection cannot.
    let source: (any InboxSource)?
    let settings: ExchangeSettings
    let clock: any TransportClock
    let timers: TimerGroup
    /// The instant from which the core counts its time.
    let start: ClockInstant
    let locked: CombiningMutex<HTTP2Opening>
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
        self.locked = CombiningMutex(Locked(machine: machine, keepAlive: keepAlive, reportedCapacity: capacity))
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
        self.locked.withLock { locked in
            locked.report = report
            _ = self.flush(&locked)
        }
        self.read()
    }

    /// Tells the server that no streams follow, and closes the connection; running exchanges fail.
    func close(then action: @escaping @Sendable () -> Void) {
        let timer = self.locked.withLock { locked in
            locked.report = nil
            locked.machine.goAway()
            self.acceptsExchanges.store(false, ordering: .relaxed)
            _ = self.flush(&locked)
            locked.keepAlive.ended()
            return locked.timer.take()
        }
        timer?.cancel()
        self.connection.close(then: action)
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

    /// Opens a stream, and sends the head, with the body if the windows have room for all of it; sends nothing if it throws.
    func open(_ opening: HTTP2Opening) throws(HTTP2OpeningFailure) -> HTTP2Opening.Sent {
        let opening = self.locked.withLock { locked in
            var one = CollectionOfOne(opening)
            HTTP2Opening.perform(&one, on: &locked)
            return one[0]
        }
        opening.report()
        guard let result = opening.result else { throw .connection(.closed) }
        return try result.get()
    }

    func openSoon(_ opening: consuming HTTP2Opening) { self.locked.perform(opening) }

    func reset(_ id: HTTP2StreamID, _ code: HTTP2ErrorCode = .cancel) {
        self.locked.withLock { locked in
            locked.streams[id] = nil
            locked.machine.reset(id, code)
            _ = self.flush(&locked)
            _ = self.streamsChanged(&locked)
        }
    }

    func updatePriority(of id: HTTP2StreamID, _ priority: RequestPriority) {
        self.locked.withLock { locked in
            locked.machine.updatePriority(of: id, priority.fieldValue)
            _ = self.flush(&locked)
        }
    }

    /// The number of bytes to read before a report: enough to seldom need the lock, and a small part of the smallest window.
    var reportedByteCount: Int { self.settings.http2.flow.initialStreamWindowByteCount / 16 }

    func consumed(_ byteCount: Int, on id: HTTP2StreamID) {
        self.locked.withLock { locked in
            locked.machine.consumed(byteCount, on: id)
            _ = self.flush(&locked)
        }
    }

    // MARK: Parts

    /// Queues what the machine has written, and returns whether there is room for more; the reader learns of a failure.
    func flush(_ locked: inout Locked) -> Bool {
        guard !locked.machine.output.isEmpty else { return true }
        defer { locked.machine.discardOutput() }
        return (try? self.connection.enqueue(ByteBuffer(bytes: locked.machine.output))) ?? true
    }

    /// Records that streams were opened or closed; returns the instant for the keep-alive timer if it must be set.
    func streamsChanged(_ locked: inout Locked) -> ClockInstant? {
        locked.keepAlive.streamsChanged(to: locked.machine.activeStreamCount, now: self.clock.now)
    }
}
