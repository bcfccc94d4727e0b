// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernWebSocketCore

extension WebSocketDriver {
    private enum Start {
        case queued(hasRoom: Bool)
        case turn(compresses: Bool)
        case wait(SendTurns.Waiter, compresses: Bool)
        case closed
        case failed(ConnectionError)
    }

    /// A longer message is sent in frames of this length, with pings in between and a send timeout for each.
    private static let frameByteCount = 1 << 20
    /// Messages up to this length are masked under the lock, which avoids taking the lock twice.
    private static let shortByteCount = 4 << 10

    func send(_ message: WebSocketMessage, _ compression: MessageCompression) async throws(ClientError) {
        if Task.isCancelled { throw .cancelled(self.context()) }
        let byteCount = message.byteCount
        let start = self.locked.withLock { locked -> Start in
            guard locked.machine.allowsSending else { return .closed }
            let compresses = self.compresses(byteCount, compression, &locked.policy)
            if !compresses, byteCount <= Self.shortByteCount, locked.machine.isTurnFree {
                return self.queueShort(message, &locked)
            }
            return switch locked.machine.turnRequested() {
            case .granted: .turn(compresses: compresses)
            case .wait(let waiter): .wait(waiter, compresses: compresses)
            case .closed: .closed
            }
        }
        switch start {
        case .queued(let hasRoom):
            if !hasRoom { try await self.waitForRoom() }
        case .turn(let compresses):
            try await self.sendInTurn(message, compresses: compresses)
        case .wait(let waiter, let compresses):
            try await self.wait(for: waiter)
            try await self.sendInTurn(message, compresses: compresses)
        case .closed:
            throw self.closedError()
        case .failed(let failure):
            throw self.error(of: failure)
        }
    }

    private func queueShort(_ message: WebSocketMessage, _ locked: inout Locked) -> Start {
        let key = locked.key()
        let frame = message.withPayload { ByteBuffer(frame: message.kind.opcode, payload: $0, key: key) }
        do throws(ConnectionError) {
            return .queued(hasRoom: try self.connection.enqueue(frame))
        } catch {
            return .failed(error)
        }
    }

    // MARK: Turns

    /// Sends a message for the caller that has the turn, then passes the turn on.
    private func sendInTurn(_ message: WebSocketMessage, compresses: Bool) async throws(ClientError) {
        let compressed = compresses ? self.compressed(message) : nil
        let byteCount = compressed?.readableBytes ?? message.byteCount
        var sentByteCount = 0
        var cancellation: ClientError?
        repeat {
            let part = sentByteCount..<min(byteCount, sentByteCount + Self.frameByteCount)
            let key = self.locked.withLock { $0.key() }
            let frame: (RawSpan) -> ByteBuffer = { payload in
                ByteBuffer(
                    frame: part.lowerBound == 0 ? message.kind.opcode : .continuation,
                    isFinal: part.upperBound == byteCount,
                    isCompressed: part.lowerBound == 0 && compressed != nil,
                    payload: payload.extracting(part),
                    key: key
                )
            }
            let bytes = compressed.map { frame($0.readableBytesSpan) } ?? message.withPayload(frame)
            sentByteCount = part.upperBound
            let hasRoom = try self.queue(bytes, keepsTurn: sentByteCount < byteCount)
            guard !hasRoom, cancellation == nil else { continue }
            do throws(ClientError) {
                try await self.waitForRoom()
            } catch {
                guard error.isCancellation else { throw error }
                cancellation = error  // queue the rest of the message without waiting
            }
        } while sentByteCount < byteCount
        if let cancellation { throw cancellation }
    }

    func wait(for waiter: SendTurns.Waiter) async throws(ClientError) {
        switch await waiter.wait(onCancel: .cancelled) {
        case .granted: return
        case .closed: throw self.closedError()
        case .cancelled: throw .cancelled(self.context())
        }
    }

    func queue(_ frame: ByteBuffer, keepsTurn: Bool) throws(ClientError) -> Bool {
        let (result, next) = self.locked.withLock { locked -> (Result<Bool, ConnectionError>?, SendTurns.Waiter?) in
            var result: Result<Bool, ConnectionError>?
            if locked.machine.allowsSending {
                result = Result { () throws(ConnectionError) in try self.connection.enqueue(frame) }
            }
            return (result, keepsTurn ? nil : locked.machine.turnEnded())
        }
        if let next { self.passTurn(to: next) }
        switch result {
        case .success(let hasRoom)?: return hasRoom
        case .failure(let failure)?: throw self.error(of: failure)
        case nil: throw self.closedError()
        }
    }

    /// Passes the turn to the first of the waiting tasks that was not cancelled.
    private func passTurn(to next: SendTurns.Waiter) {
        var next: SendTurns.Waiter? = next
        while let waiter = next, !waiter.resume(with: .granted) {
            next = self.locked.withLock { $0.machine.turnEnded() }
        }
    }

    private func error(of failure: ConnectionError) -> ClientError {
        guard case .closed = failure, self.ending != nil else {
            return ClientError(failure, self.context())
        }
        return self.closedError()
    }

    /// Waits for room, and ends the WebSocket if there is none within the send timeout.
    func waitForRoom() async throws(ClientError) {
        let deadline = CallDeadline(.idle, limit: self.options.sendTimeout, on: self.clock)
        do throws(ConnectionError) {
            try await self.connection.waitForRoom(deadline: deadline)
        } catch {
            let error = self.error(of: error)
            if error.isTimeout { self.fail(error) }
            throw error
        }
    }

    // MARK: Compression

    /// Returns whether to compress a message; if so, the caller must report the compressed length to `policy`.
    func compresses(
        _ byteCount: Int,
        _ compression: MessageCompression,
        _ policy: inout CompressionPolicy
    ) -> Bool {
        guard self.canCompress else { return false }
        return switch compression {
        case .always: true
        case .never: false
        case .automatic: policy.shouldCompress(byteCount: byteCount)
        }
    }

    private func compressed(_ message: WebSocketMessage) -> ByteBuffer? {
        let compressed = message.withPayload { payload in self.compressed(payload, isFinal: true) }
        guard let compressed else { return nil }
        let (plainCount, count) = (message.byteCount, compressed.readableBytes)
        self.locked.withLock { $0.policy.record(plainByteCount: plainCount, compressedByteCount: count) }
        return compressed
    }

    func compressed(_ payload: RawSpan, isFinal: Bool) -> ByteBuffer? {
        var output = ByteBuffer()
        output.reserveCapacity(max(256, payload.byteCount / 4))
        var taken = 0
        while true {
            let rest = payload.extracting(droppingFirst: taken)
            guard let progress = self.compress(rest, isFinal: isFinal, into: &output) else { return nil }
            taken += progress.consumedByteCount
            if progress.isComplete { return output }
        }
    }

    private func compress(
        _ rest: RawSpan,
        isFinal: Bool,
        into output: inout ByteBuffer
    ) -> MessageDeflater.Progress? {
        let room = max(MessageDeflater.minimumOutputByteCount, min(64 << 10, output.writableBytes))
        var result: MessageDeflater.Progress?
        self.deflater.withLock { deflater in
            output.writeWithOutputRawSpan(minimumWritableBytes: room) { span in
                result = try? deflater?.compress(rest, isFinal: isFinal, into: &span)
            }
        }
        return result
    }
}
