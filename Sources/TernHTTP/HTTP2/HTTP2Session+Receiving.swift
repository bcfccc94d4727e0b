// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
@_spi(CrossModuleInlining) import TernHTTP2

extension HTTP2Session {
    /// The number of queued control bytes, such as answers to PING, beyond which the reader waits until the server reads.
    private static let maximumQueuedControlByteCount = 64 << 10

    func read() {
        while let result = self.connection.read(orLater: { if self.handle($0) { self.read() } }) {
            guard self.handle(result) else { return }
        }
    }

    /// Handles the result of a read; returns whether to read on at once.
    private func handle(_ result: Result<ByteBuffer?, ConnectionError>) -> Bool {
        do throws(ConnectionError) {
            guard let bytes = try result.get() else {
                self.ended(by: .closed)
                return false
            }
            if self.receive(bytes) { return true }
            self.readAfterRoom()
        } catch {
            self.ended(by: error)
        }
        return false
    }

    private func readAfterRoom() {
        Task.detached(executorPreference: self.connection.executor) {
            do throws(ConnectionError) {
                try await self.connection.waitForRoom(deadline: nil)
                self.locked.withLock { $0.output.foundRoom() }
                self.read()
            } catch {
                self.ended(by: error)
            }
        }
    }

    /// Passes bytes to the machine, and hands the results to the streams; returns `false` if the reader must wait for room.
    private func receive(_ bytes: ByteBuffer) -> Bool {
        let now = self.clock.now
        var events: [SessionEvent] = []
        var arrivals: [Arrival] = []
        let ((instant, hasFailed), _) = self.perform { locked in
            var effects: [HTTP2Effect] = []
            swap(&effects, &locked.effects)
            locked.machine.receive(bytes.readableBytesSpan, at: self.start.duration(to: now), effects: &effects)
            locked.keepAlive.received(now: now)
            // First, so that a call that fails now does not come back to a session that accepts no further exchange.
            events = self.newEvents(&locked)
            arrivals = self.perform(effects, bytes, &locked)
            locked.output.addControl(byteCount: locked.machine.output.count)
            self.takeTurns(&locked)
            // A session that keeps idle connections alive sets its timer here if the server is faster than the first call.
            let keepAliveInstant = self.streamsChanged(&locked)
            let closeInstant = Self.reportsError(effects) ? locked.keepAlive.serverFailed(now: now) : nil
            effects.removeAll(keepingCapacity: true)
            swap(&effects, &locked.effects)
            return (closeInstant ?? keepAliveInstant, locked.machine.hasFailed)
        }
        if hasFailed { self.closeAfterOutput { [connection] in connection.close() } }
        if let instant { self.armKeepAlive(at: instant) }
        // Outside of the lock, because the woken tasks need the lock at once, for example to send their next request.
        for arrival in arrivals { arrival.stream.arrived(endsResponse: arrival.endsResponse) }
        self.report(events)
        return self.locked.withLock { $0.output.controlByteCount <= Self.maximumQueuedControlByteCount }
    }

    private func ended(by error: ConnectionError) {
        var events: [SessionEvent] = []
        let (timer, _) = self.perform { locked in
            var effects: [HTTP2Effect] = []
            locked.machine.connectionEnded(effects: &effects)
            events = self.newEvents(&locked)  // before any call fails, see above
            let error: ConnectionError = locked.keepAlive.hasFailed ? .silence : error
            for stream in locked.streams.values { locked.news.append(.failed(stream, .connection(error))) }
            locked.streams.removeAll()
            locked.uploads.removeAll()
            for wait in locked.settingsWaits { locked.news.append(.ended(wait, .failure(error))) }
            locked.settingsWaits = []
            locked.keepAlive.ended()
            return locked.timer.take()
        }
        timer?.cancel()
        self.connection.close()
        self.report(events)
    }

    // MARK: Effects

    private struct Arrival {
        let stream: HTTP2ExchangeStream
        var endsResponse = false
    }

    /// The maximum number of unread bytes that count as read when a response is complete, so that the server may send other bytes
    /// at once, and the client need not report later that a short response was read.
    private static let readByteCount = 16 << 10

    /// Hands results to the streams; returns the streams, some several times, whose readers must be woken.
    private func perform(_ effects: [HTTP2Effect], _ input: ByteBuffer, _ locked: inout Locked) -> [Arrival] {
        var arrivals: [Arrival] = []
        func note(_ stream: HTTP2ExchangeStream, endsResponse: Bool = false) {
            // The parts of one response usually come one after the other.
            if arrivals.last?.stream !== stream { arrivals.append(Arrival(stream: stream)) }
            if endsResponse { arrivals[arrivals.count - 1].endsResponse = true }
        }
        for effect in effects {
            switch effect {
            case .interim(let id, let head):
                guard let stream = locked.streams[id] else { continue }
                stream.receive(head, isInterim: true)
                note(stream)
            case .head(let id, let head):
                guard let stream = locked.streams[id] else { continue }
                stream.receive(head, isInterim: false)
                note(stream)
            case .data(let id, let range):
                let start = input.readerIndex + range.lowerBound
                guard let stream = locked.streams[id], let content = input.getSlice(at: start, length: range.count)
                else { continue }
                stream.inbox.append(partOfBuffer: content)
                note(stream)
            case .trailers(let id, let trailers): locked.streams[id]?.receive(trailers)
            case .end(let id):
                guard let stream = locked.streams[id] else { continue }
                note(stream, endsResponse: true)
                let unread = locked.machine.unreadByteCount(on: id)
                if unread <= Self.readByteCount { locked.machine.consumed(unread, on: id) }
                let isOver = stream.state.withLock { $0.responseEnded(isRead: unread <= Self.readByteCount) }
                // While the request goes on, the stream still has windows, and may still be reset.
                if isOver { locked.streams[id] = nil }
            case .requestStopped(let id, _):
                if let stream = locked.streams.removeValue(for: id) { locked.news.append(.requestStopped(stream)) }
            case .failed(let id, let failure, let delivery):
                guard let stream = locked.streams.removeValue(for: id) else { continue }
                locked.news.append(.failed(stream, .stream(failure, delivery)))
            case .windowOpened(let id): if let stream = locked.streams[id] { locked.uploads.add(stream) }
            case .settingsChanged:
                for wait in locked.settingsWaits { locked.news.append(.ended(wait, .success(()))) }
                locked.settingsWaits = []
            case .connectionWindowOpened, .pingAnswered, .goingAway, .connectionFailed: break
            }
        }
        return arrivals
    }

    private static func reportsError(_ effects: [HTTP2Effect]) -> Bool {
        effects.contains { effect in
            if case .goingAway(_, let code, _) = effect { code != .noError } else { false }
        }
    }

    // MARK: Reports

    private func newEvents(_ locked: inout Locked) -> [SessionEvent] {
        var events: [SessionEvent] = []
        let capacity = locked.machine.peerSettings.maximumConcurrentStreams
        if capacity != locked.reportedCapacity {
            locked.reportedCapacity = capacity
            events.append(.capacityChanged(capacity))
        }
        if locked.machine.isGoingAway, !locked.hasReportedEnd {
            locked.hasReportedEnd = true
            self.acceptsExchanges.store(false, ordering: .relaxed)
            events.append(.ended)
        }
        return events
    }

    /// Reports the present limits before the session's reader does, because the pool would lend the same slot until then.
    func reportLimits() {
        let event = self.locked.withLock { locked -> SessionEvent in
            locked.machine.isGoingAway ? .ended : .capacityChanged(locked.machine.peerSettings.maximumConcurrentStreams)
        }
        self.report([event])
    }

    /// Reports that the connection accepts no more bytes, which the session's reader may not have learned of yet.
    func reportEnd() {
        let isNew = self.locked.withLock { locked in
            defer { locked.hasReportedEnd = true }
            return !locked.hasReportedEnd
        }
        self.acceptsExchanges.store(false, ordering: .relaxed)
        if isNew { self.report([.ended]) }
    }

    private func report(_ events: [SessionEvent]) {
        guard !events.isEmpty, let report = self.locked.withLock({ $0.report }) else { return }
        for event in events { report(event) }
    }
}
