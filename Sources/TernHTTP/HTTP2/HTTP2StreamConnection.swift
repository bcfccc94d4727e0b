// SPDX-License-Identifier: Apache-2.0
import DequeModule
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernHTTP2
import TernTransport

/// A stream as a connection, for a protocol such as WebSocket (RFC 8441 §5), or for a tunnel (RFC 9113 §8.5).
///
/// Locks are taken in this order: this class's, the session's, the stream's.
final class HTTP2StreamConnection: MeasuredConnection {
    private struct Sending {
        /// The bytes that were taken from the outbox, and wait until the session takes them.
        var queue = Deque<ByteBuffer>()
        var taken: [Outbox.Piece] = []
        var takenNumber = 0
        var isWaiting = false
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
    private let sending = Mutex(Sending())
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

    private func flush() {
        let obstacle = self.sending.withLock { sending -> Obstacle? in
            guard !sending.isWaiting else { return nil }  // the task that waits takes everything
            return self.send(&sending)
        }
        guard let obstacle else { return }
        Task.detached(executorPreference: self.executor) { [weak self, clock, connection = self.session.connection] in
            var next: Obstacle? = obstacle
            while let obstacle = next {
                let result = await Self.wait(for: obstacle, on: connection, clock)
                next = self?.resume(after: result)
            }
        }
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

    private func resume(after result: Result<Void, ConnectionError>) -> Obstacle? {
        self.sending.withLock { sending in
            switch result {
            case .failure(let error):
                self.fail(&sending, error)
                return nil
            case .success: return self.send(&sending)
            }
        }
    }

    /// Hands over as many queued bytes as possible, and returns the obstacle to handing over the rest.
    private func send(_ sending: inout Sending) -> Obstacle? {
        while self.takeQueued(&sending), let first = sending.queue.popFirst() {
            do throws(ConnectionError) {
                switch try self.session.send(first, on: self.stream, keeping: 0) {
                case .taken(hasRoom: true): break
                case .taken(hasRoom: false): return self.wait(&sending, for: .room)
                case .wait(let wait): return self.wait(&sending, for: .content(wait))
                }
            } catch {
                self.fail(&sending, error)
                return nil
            }
        }
        sending.isWaiting = false
        self.outbox.flushed(sentUpTo: sending.takenNumber, isWritable: true)
        return nil
    }

    /// Moves the bytes of the outbox to an empty queue; returns whether there is anything to send.
    private func takeQueued(_ sending: inout Sending) -> Bool {
        if !sending.queue.isEmpty { return true }
        sending.takenNumber = self.outbox.takeAll(into: &sending.taken)
        for case .bytes(let bytes) in sending.taken where bytes.readableBytes > 0 { sending.queue.append(bytes) }
        sending.taken.removeAll(keepingCapacity: true)
        return !sending.queue.isEmpty
    }

    private func wait(_ sending: inout Sending, for obstacle: Obstacle) -> Obstacle {
        sending.isWaiting = true
        self.outbox.setWritable(false)
        return obstacle
    }

    private func fail(_ sending: inout Sending, _ error: ConnectionError) {
        sending.queue.removeAll()
        sending.isWaiting = false
        self.outbox.fail(error)
    }

    // MARK: The end

    var isReadyForExchange: Bool { self.stream.inbox.isPristine && self.outbox.isEmpty }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.stream.inbox.onEnd(action) }

    /// Ends the stream: "An orderly TCP-level close is represented as an END_STREAM flag", and "a RST_STREAM frame with the CANCEL
    /// error code" stands for a reset (RFC 8441 §5); if the server has ended its side, only RST_STREAM with NO_ERROR is sent,
    /// because Hypercorn ends the whole connection if it receives DATA in this state.
    func close() {
        guard self.isOpen.exchange(false, ordering: .relaxed) else { return }
        let isHandedOver = self.sending.withLock { $0.queue.isEmpty }
        let (hasServerEnded, isSent) = self.stream.state.withLock { ($0.isResponseComplete, $0.unsent.isEmpty) }
        self.outbox.fail(.closed)
        if isHandedOver, isSent, !hasServerEnded { _ = try? self.session.endBody(of: self.stream, with: nil) }
        self.stream.abort(hasServerEnded ? .noError : .cancel)
        self.slot.giveBack()
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
