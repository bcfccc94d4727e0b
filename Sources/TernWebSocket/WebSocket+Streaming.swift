// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
public import TernErrors
public import TernFoundation
public import TernWebSocketCore

extension WebSocket {
    /// Sends one message in parts, as the sequence delivers them, for messages that are too large for memory.
    ///
    /// Other messages wait until this message is complete; pings, pongs and a close are sent in between. If the sequence throws, or
    /// the task is cancelled in the middle of this message, this side closes the WebSocket with 1011, and iteration ends after the
    /// messages that have arrived.
    ///
    /// - Parameters:
    ///   - kind: The kind of the message. The text of a whole message must be valid UTF-8; a part may end within a character.
    ///   - pieces: The parts of the message. Empty parts are skipped.
    ///   - compression: Whether to compress the message.
    /// - Throws: The same errors as ``send(_:compression:)-(WebSocketMessage,_)``; `.uploadFailed(.streamFailed, …)`, for example
    ///   when the sequence throws.
    public func send<Pieces: AsyncSequence & Sendable>(
        _ kind: MessageKind,
        pieces: Pieces,
        compression: MessageCompression = .automatic
    ) async throws(ClientError) where Pieces.Element == Data {
        var sender = try await FragmentSender(self.driver, kind, compression)
        do throws(ClientError) {
            try await sender.send(pieces)
        } catch {
            sender.abandon()
            throw error
        }
    }
}

/// Sends one message in fragments, and makes other messages wait until the last fragment is queued.
private struct FragmentSender {
    private let driver: WebSocketDriver
    private let compresses: Bool
    private var opcode: FrameOpcode
    private var isFirst = true
    private var hasTurn = true
    private var plainByteCount = 0
    private var compressedByteCount = 0

    init(
        _ driver: WebSocketDriver,
        _ kind: MessageKind,
        _ compression: MessageCompression
    ) async throws(ClientError) {
        self.driver = driver
        self.opcode = kind.opcode
        if Task.isCancelled { throw .cancelled(driver.context()) }
        let (turn, compresses) = driver.locked.withLock { locked in
            // The length is unknown; assume that the message is long enough to compress.
            (locked.machine.turnRequested(), driver.compresses(.max, compression, &locked.policy))
        }
        self.compresses = compresses
        switch turn {
        case .granted: break
        case .wait(let waiter): try await driver.wait(for: waiter)
        case .closed: throw driver.closedError()
        }
    }

    mutating func send<Pieces: AsyncSequence>(
        _ pieces: Pieces
    ) async throws(ClientError) where Pieces.Element == Data {
        var iterator = pieces.makeAsyncIterator()
        while let piece = try await self.next(&iterator) {
            if piece.isEmpty { continue }
            if !(try self.queue(piece, isFinal: false)) { try await self.driver.waitForRoom() }
        }
        if !(try self.queue(Data(), isFinal: true)) { try await self.driver.waitForRoom() }
        guard self.compresses else { return }
        let counts = (self.plainByteCount, self.compressedByteCount)
        self.driver.locked.withLock { $0.policy.record(plainByteCount: counts.0, compressedByteCount: counts.1) }
    }

    private func next<Iterator: AsyncIteratorProtocol>(
        _ iterator: inout Iterator
    ) async throws(ClientError) -> Iterator.Element? {
        do {
            let piece = try await iterator.next(isolation: #isolation)
            if Task.isCancelled { throw CancellationError() }
            return piece
        } catch is CancellationError where Task.isCancelled {
            throw .cancelled(self.driver.context())
        } catch {
            throw .uploadFailed(.streamFailed(type: "\(type(of: error))"), self.driver.context())
        }
    }

    private mutating func queue(_ piece: Data, isFinal: Bool) throws(ClientError) -> Bool {
        guard self.compresses else {
            return try self.queue(piece.withUnsafeBytes { self.frame($0.bytes, isFinal) }, isFinal)
        }
        let compressed = piece.withUnsafeBytes { self.driver.compressed($0.bytes, isFinal: isFinal) }
        guard let compressed else {
            throw .uploadFailed(.streamFailed(type: "CompressionError"), self.driver.context())
        }
        self.plainByteCount += piece.count
        self.compressedByteCount += compressed.readableBytes
        // The compressor buffers its input, so there may be no output to send yet.
        guard compressed.readableBytes > 0 || isFinal else { return true }
        return try self.queue(self.frame(compressed.readableBytesSpan, isFinal), isFinal)
    }

    private func frame(_ payload: RawSpan, _ isFinal: Bool) -> ByteBuffer {
        ByteBuffer(
            frame: self.opcode,
            isFinal: isFinal,
            isCompressed: self.compresses && self.isFirst,
            payload: payload,
            key: self.driver.locked.withLock { $0.key() }
        )
    }

    private mutating func queue(_ frame: ByteBuffer, _ isFinal: Bool) throws(ClientError) -> Bool {
        self.isFirst = false
        self.opcode = .continuation
        if isFinal { self.hasTurn = false }
        return try self.driver.queue(frame, keepsTurn: !isFinal)
    }

    /// Closes the WebSocket after a failure, because no other message can follow an incomplete one.
    func abandon() {
        if self.hasTurn { self.driver.sendFailed() }  // ends the turns, too
    }
}
