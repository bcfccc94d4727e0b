// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernWebSocketCore

/// The pong that the client will send when the server accepts data again.
struct PendingPong: Sendable {
    /// Whether a task waits for room in the send buffer.
    var isWaiting = false
    /// The payload of the last ping, to be repeated in the pong.
    ///
    /// Earlier pings need no answer (RFC 6455 §5.5.3).
    var payload: ByteBuffer?
}

extension WebSocketDriver {
    // MARK: The server's pings

    /// Answers a ping of the server without waiting, because the reader must continue.
    ///
    /// While the send buffer has no room, the driver keeps only the latest ping, and answers it as soon as there is
    /// room. A server that sends many pings and reads nothing must not fill the memory.
    func received(ping payload: ByteBuffer) {
        let mustWait = self.locked.withLock { locked in
            guard !locked.pongs.isWaiting else {
                locked.pongs.payload = payload
                return false
            }
            locked.pongs.isWaiting = !self.queuePong(payload, &locked)
            return locked.pongs.isWaiting
        }
        guard mustWait else { return }
        Task.detached { [self] in
            try? await self.connection.waitForRoom(deadline: nil)
            self.locked.withLock { locked in
                locked.pongs.isWaiting = false
                guard let payload = locked.pongs.payload.take() else { return }
                _ = self.queuePong(payload, &locked)
            }
        }
    }

    /// Queues a pong, and returns whether the send buffer has room for more.
    private func queuePong(_ payload: ByteBuffer, _ locked: inout Locked) -> Bool {
        guard locked.closing.allowsSending else { return true }
        let frame = ByteBuffer(frame: .pong, payload: payload.readableBytesSpan, key: locked.key())
        return (try? self.connection.enqueue(frame)) ?? true
    }

    // MARK: Pings of this side

    /// Sends a ping and waits for its pong.
    ///
    /// - Returns: The time between the ping and its pong.
    func ping() async throws(ClientError) -> Duration {
        if Task.isCancelled { throw .cancelled(self.context()) }
        let wait = PingLedger.Wait()
        let start = self.clock.now
        guard let number = self.sendPing(wait) else { throw self.closedError() }
        defer { self.locked.withLock { $0.pings.remove(number) } }
        let limit = self.options.pongTimeout
        let timer = self.clock.schedule(at: start.advanced(by: limit)) { [weak self] in
            guard let self else { return }
            wait.resume(with: .failure(.timedOut(.pong, limit: limit, self.context())))
        }
        defer { timer.cancel() }
        return start.duration(to: try await wait.wait(onCancel: .failure(.cancelled(self.context()))).get())
    }

    /// Resumes the tasks whose pings this pong answers.
    func received(pong payload: ByteBuffer) {
        guard payload.readableBytes == MemoryLayout<UInt64>.size,
            let number = payload.getInteger(at: payload.readerIndex, as: UInt64.self)
        else { return }  // an unsolicited pong is allowed (RFC 6455 §5.5.3)
        let waits = self.locked.withLock { $0.pings.answered(number) }
        guard !waits.isEmpty else { return }
        let now = self.clock.now
        for wait in waits { wait.resume(with: .success(now)) }
    }

    /// Sends a ping, and returns its number, or `nil` if the WebSocket can no longer send.
    private func sendPing(_ wait: PingLedger.Wait?) -> UInt64? {
        self.locked.withLock { locked in
            guard locked.closing.allowsSending else { return nil }
            let number = wait.map { locked.pings.add($0) } ?? 0
            let payload = ByteBuffer(integer: number)
            let frame = ByteBuffer(frame: .ping, payload: payload.readableBytesSpan, key: locked.key())
            if (try? self.connection.enqueue(frame)) != nil { return number }
            locked.pings.remove(number)
            return nil
        }
    }

    // MARK: Keep-alive

    /// Starts keep-alive, if the options ask for it.
    func startKeepAlive() {
        guard let settings = self.options.keepAlive else { return }
        self.lookAgain(at: self.clock.now.advanced(by: settings.interval))
    }

    private func lookAgain(at instant: ClockInstant) {
        let number = self.locked.withLock { locked in
            locked.keepAliveNumber += 1
            return locked.keepAliveNumber
        }
        let timer = self.clock.schedule(at: instant) { [weak self] in self?.keepAliveTimerFired() }
        self.locked.withLock { locked in
            // This timer may have fired already. Then a newer timer has replaced it and must stay.
            if !locked.isOver, locked.keepAliveNumber == number { locked.keepAliveTimer = timer }
        }
    }

    private func keepAliveTimerFired() {
        let now = self.clock.now
        let action = self.locked.withLock { locked in
            locked.closing.allowsSending
                ? locked.keepAlive?.timerFired(
                    now: now,
                    lastReceived: locked.lastReceived,
                    isReading: locked.isReading
                ) : nil
        }
        switch action {
        case .wait(let instant)?:
            self.lookAgain(at: instant)
        case .ping(let instant)?:
            _ = self.sendPing(nil)  // any bytes from the server count as an answer
            self.lookAgain(at: instant)
        case .giveUp?:
            self.fail(.timedOut(.pong, limit: self.options.keepAlive?.timeout ?? .zero, self.context()))
        case nil:
            break
        }
    }
}
