// SPDX-License-Identifier: Apache-2.0
import DequeModule
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernHTTP2
import TernTransport

/// A stream as a connection, for a protocol such as WebSocket (RFC 8441 §5), or for a tunnel (RFC 9113 §8.5).
final class HTTP2StreamConnection: MeasuredConnection {
    private struct Sending {
        var machine = StreamFlushStateMachine()
        /// The bytes that were taken from the outbox, and wait until the session takes them.
        var queue = Deque<ByteBuffer>()
        var taken: [Outbox.Piece] = []
        var takenNumber = 0
        /// Whether the stream is ended, and its slot given back.
        var isEnded = false
        var onEnded: (@Sendable () -> Void)?

        /// Returns the next bytes to hand over, which it moves from the outbox when there are no others.
        mutating func next(from outbox: Outbox) -> ByteBuffer? {
            if self.queue.isEmpty {
                self.takenNumber = outbox.takeAll(into: &self.taken)
                for case .bytes(let bytes) in self.taken where bytes.readableBytes > 0 { self.queue.append(bytes) }
                self.taken.removeAll(keepingCapacity: true)
            }
            return self.queue.popFirst()
        }
    }

    /// The event that must happen before the connection can send more.
    private enum Obstacle {
        case content(UnsentContent.Wait)
        case room
    }

    /// The number of queued bytes at which writers wait.
    private static let queueByteCount = 64 << 10

    private let stream: HTTP2ExchangeStream
    private let slot: Slot
    private let clock: any TransportClock
    private let outbox: Outbox
    private let sending = ShortMutex(Sending())
    private let isOpen = Atomic<Bool>(true)

    init(_ stream: HTTP2ExchangeStream, in slot: Slot, clock: any TransportClock) {
        self.stream = stream
        self.slot = slot
        self.clock = clock
        self.outbox = Outbox(limit: Self.queueByteCount, clock: clock)
    }

    deinit { self.close() }

    private var session: HTTP2Session { self.stream.session }

    // MARK: Reading

    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        while true {
            let bytes: ByteBuffer?
            do throws(ConnectionError) {
                bytes = try await self.stream.inbox.read(atLeast: byteCount, deadline: deadline)
            } catch {
                throw self.stream.failure(by: error).connectionError
            }
            guard let bytes else { return nil }
            guard bytes.readableBytes > 0 else { continue }  // the read was woken for a head
            self.consumed(bytes)
            return bytes
        }
    }

    func limitReads(to deadline: CallDeadline?) { self.stream.inbox.limitReads(to: deadline) }

    func readAvailable() -> ByteBuffer? {
        guard let bytes = self.stream.inbox.take(), bytes.readableBytes > 0 else { return nil }
        self.consumed(bytes)
        return bytes
    }

    private func consumed(_ bytes: ByteBuffer) {
        guard let id = self.stream.state.withLock({ $0.id }) else { return }
        self.session.consumed(bytes.readableBytes, on: id)
    }

    // MARK: Writing

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        try self.outbox.enqueue(.bytes(bytes)) { _ in self.flush() }
    }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        try await self.outbox.waitForRoom(deadline: deadline)
    }

    /// The last instant at which an obstacle became smaller.
    var lastSent: ClockInstant? {
        let connection = (self.session.connection as? any MeasuredConnection)?.lastSent
        return [self.stream.lastSent, connection].compactMap(\.self).max()
    }

    private func flush() { if self.sending.withLock({ $0.machine.begins() }) { self.sendAll() } }

    /// Hands over all queued bytes, also those that come meanwhile, or begins a wait until the session can take more.
    private func sendAll() {
        var isToldOfRoom = false
        while true {
            let (bytes, number, ends) = self.sending.withLock { [outbox] sending -> (ByteBuffer?, Int, Bool) in
                let bytes = sending.next(from: outbox)
                let ends = bytes == nil && isToldOfRoom ? sending.machine.rests() : false
                return (bytes, sending.takenNumber, ends)
            }
            guard let bytes else {
                guard !isToldOfRoom else {
                    if ends { self.end() }
                    return
                }
                self.outbox.flushed(sentUpTo: number, isWritable: true)
                isToldOfRoom = true
                continue
            }
            isToldOfRoom = false
            do throws(ConnectionError) {
                switch try self.session.send(bytes, on: self.stream, keeping: 0) {
                case .taken(hasRoom: true): break
                case .taken(hasRoom: false): if self.waits(for: .room) { return }
                case .wait(let wait):
                    if !self.waits(for: .content(wait)), self.sending.withLock({ $0.machine.rests() }) { self.end() }
                    return
                }
            } catch {
                return self.fail(error)
            }
        }
    }

    /// Begins a wait; returns `false` if the connection was closed, because the caller then does not wait.
    private func waits(for first: Obstacle) -> Bool {
        self.outbox.setWritable(false)
        guard self.sending.withLock({ $0.machine.waits() }) else { return false }
        Task.detached(executorPreference: self.executor) { [weak self, clock, connection = self.session.connection] in
            let result = await Self.wait(for: first, on: connection, clock)
            self?.resume(after: result)
        }
        return true
    }

    private static func wait(
        for obstacle: Obstacle,
        on connection: any Connection,
        _ clock: any TransportClock
    ) async -> Result<Void, ConnectionError> {
        do throws(ConnectionError) {
            switch obstacle {
            case .content(let wait): try await wait.success(until: nil, on: clock)
            case .room: try await connection.waitForRoom(deadline: nil)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func resume(after result: Result<Void, ConnectionError>) {
        guard self.sending.withLock({ $0.machine.resumes() }) else { return }
        switch result {
        case .success: self.sendAll()
        case .failure(let error): self.fail(error)
        }
    }

    private func fail(_ error: ConnectionError) {
        self.outbox.fail(error)
        let ends = self.sending.withLock { sending in
            sending.queue.removeAll()
            return sending.machine.rests()
        }
        if ends { self.end() }
    }

    // MARK: The end

    var isReadyForExchange: Bool { self.stream.inbox.isPristine && self.outbox.isEmpty }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.stream.inbox.onEnd(action) }

    func close() {
        guard self.isOpen.exchange(false, ordering: .relaxed) else { return }
        self.outbox.close()
        // A thread that hands over first sends what was queued before.
        if self.sending.withLock({ $0.machine.closes() }) { self.end() } else { self.stream.inbox.close() }
    }

    func close(then action: @escaping @Sendable () -> Void) {
        self.close()
        let isEnded = self.sending.withLock { sending in
            guard !sending.isEnded else { return true }
            let earlier = sending.onEnded
            sending.onEnded = {
                earlier?()
                action()
            }
            return false
        }
        if isEnded { action() }
    }

    /// Ends the stream: "An orderly TCP-level close is represented as an END_STREAM flag", and "a RST_STREAM frame with the CANCEL
    /// error code" stands for a reset (RFC 8441 §5); if the server has ended its side, only RST_STREAM with NO_ERROR is sent,
    /// because Hypercorn ends the whole connection if it receives DATA in this state.
    private func end() {
        let isHandedOver = self.sending.withLock { [outbox] in $0.next(from: outbox) == nil }
        let (hasServerEnded, isSent) = self.stream.state.withLock { ($0.isResponseComplete, $0.unsent.isEmpty) }
        self.outbox.fail(.closed)
        if isHandedOver, isSent, !hasServerEnded { _ = try? self.session.endBody(of: self.stream, with: nil) }
        self.stream.abort(hasServerEnded ? .noError : .cancel)
        self.slot.giveBack()
        self.sending.withLock { sending in
            sending.isEnded = true
            return sending.onEnded.take()
        }?()
    }

    // MARK: The network

    var executor: (any TaskExecutor)? { self.session.connection.executor }

    var addresses: ConnectionAddresses { self.session.connection.addresses }
}

extension ResponseFailure {
    fileprivate var connectionError: ConnectionError {
        switch self {
        case .connection(let error), .opening(.connection(let error)): error
        case .opening(.request): .closed
        case .violation, .unsupportedTransferCoding, .stream(.reset, _), .stream(.violation, _): .reset
        case .stream(.goingAway, _), .stream(.connectionFailed, _), .stream(.connectionEnded, _): .closed
        }
    }
}
