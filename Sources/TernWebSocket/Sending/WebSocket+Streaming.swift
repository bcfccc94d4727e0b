// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
public import TernErrors
import TernTransport
public import TernWebSocketCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension WebSocket {
    /// Sends one message in parts, each as soon as it is there, for messages that are too large for memory.
    ///
    /// Other messages wait until this one is complete; pings, pongs and a close do not. If the sequence throws, or the
    /// task is cancelled, the message cannot be completed, and the WebSocket is closed with 1011.
    ///
    /// - Parameters:
    ///   - kind: whether it is text or bytes. Text must be UTF-8 as a whole; the parts may cut characters.
    ///   - pieces: the parts; empty ones are left out.
    ///   - compression: whether to compress it, if that was negotiated; as experience has it by default.
    /// - Throws: as ``send(_:compression:)-(WebSocketMessage,_)``; `.uploadFailed(.streamFailed, …)` when the sequence
    ///   throws.
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

/// Sends one message in fragments; has the turn from its beginning to its end.
private struct FragmentSender {
    private let driver: WebSocketDriver
    private let compresses: Bool
    private var opcode: Opcode
    private var isFirst = true
    private var hasTurn = true

    init(
        _ driver: WebSocketDriver,
        _ kind: MessageKind,
        _ compression: MessageCompression
    ) async throws(ClientError) {
        self.driver = driver
        self.opcode = kind.opcode
        self.compresses = driver.canCompress && compression != .never
        if Task.isCancelled { throw .cancelled(driver.context()) }
        let waiter: SendTurns.Waiter?? = driver.locked.withLock { locked in
            locked.closing.allowsSending ? .some(locked.turns.take()) : nil
        }
        guard let waiter else { throw driver.closedError() }
        if let waiter { try await driver.wait(for: waiter) }
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
        let key = self.driver.locked.withLock { $0.key() }
        let frame = piece.withUnsafeBytes { bytes -> ByteBuffer? in
            guard self.compresses else {
                return ByteBuffer(frame: self.opcode, isFinal: isFinal, payload: bytes.bytes, key: key)
            }
            guard let compressed = self.driver.compressed(bytes.bytes, isFinal: isFinal) else { return nil }
            return ByteBuffer(
                frame: self.opcode,
                isFinal: isFinal,
                isCompressed: self.isFirst,
                payload: compressed.readableBytesSpan,
                key: key
            )
        }
        guard let frame else { throw .uploadFailed(.streamFailed(type: "CompressionFailure"), self.driver.context()) }
        self.isFirst = false
        self.opcode = .continuation
        if isFinal { self.hasTurn = false }
        return try self.driver.queue(frame, keepsTurn: !isFinal)
    }

    /// The message cannot be completed, so that no other can follow.
    func abandon() {
        guard self.hasTurn else { return }
        self.driver.close(CloseFrame(fitting: .internalError, ""))
        self.driver.locked.withLock { $0.turns.release() }
    }
}
