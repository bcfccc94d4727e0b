// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernWebSocketCore

extension WebSocketDriver {
    // MARK: The server's pings

    /// Answers a ping of the server, or the latest of several, without waiting, because the reader must continue.
    func received(ping payload: ByteBuffer) {
        let mustWait = self.locked.withLock { locked in
            guard let payload = locked.machine.pinged(payload) else { return false }
            return locked.machine.pongQueued(hasRoom: self.queuePong(payload, &locked))
        }
        guard mustWait else { return }
        Task.detached { [self] in
            try? await self.connection.waitForRoom(deadline: nil)
            self.locked.withLock { locked in
                guard let payload = locked.machine.roomCame() else { return }
                _ = self.queuePong(payload, &locked)
            }
        }
    }

    private func queuePong(_ payload: ByteBuffer, _ locked: inout Locked) -> Bool {
        let frame = ByteBuffer(frame: .pong, payload: payload.readableBytesSpan, key: locked.key())
        return (try? self.connection.enqueue(frame)) ?? true
    }

    // MARK: Pings of this side

    func ping() async throws(ClientError) -> Duration {
        if Task.isCancelled { throw .cancelled(self.context()) }
        let wait = PingLedger.Wait()
        let start = self.clock.now
        guard let number = self.sendPing(wait) else { throw self.closedError() }
        defer { self.locked.withLock { $0.machine.pingEnded(number) } }
        let limit = self.options.pongTimeout
        let timer = self.clock.schedule(at: start.advanced(by: limit)) { [weak self] in
            guard let self else { return }
            wait.resume(with: .failure(.timedOut(.pong, limit: limit, self.context())))
        }
        defer { timer.cancel() }
        return start.duration(to: try await wait.wait(onCancel: .failure(.cancelled(self.context()))).get())
    }

    func received(pong payload: ByteBuffer) {
        guard payload.readableBytes == MemoryLayout<UInt64>.size,
            let number = payload.getInteger(at: payload.readerIndex, as: UInt64.self)
        else { return }  // an unsolicited pong is allowed (RFC 6455 §5.5.3)
        let waits = self.locked.withLock { $0.machine.pongReceived(number) }
        guard !waits.isEmpty else { return }
        let now = self.clock.now
        for wait in waits { wait.resume(with: .success(now)) }
    }

    /// Sends a ping, and returns its number, or `nil` if the WebSocket can no longer send.
    private func sendPing(_ wait: PingLedger.Wait) -> UInt64? {
        self.locked.withLock { locked in
            guard let number = locked.machine.pingRequested(wait) else { return nil }
            if (try? self.connection.enqueue(locked.ping(number))) != nil { return number }
            locked.machine.pingEnded(number)
            return nil
        }
    }
}
