// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernFoundation
import TernWebSocketCore

/// Reads a WebSocket to its end: decodes bytes, queues messages, and passes all other events to the driver.
///
/// Its own task, on the connection's executor, answers pings and a close while no task iterates.
struct MessageReader: ~Copyable {
    /// The number of bytes of a long frame that must arrive before the reader is woken.
    private static let gatheredByteCount = 64 << 10
    /// The number of bytes to inflate before the reader lets other connections on the same thread run.
    private static let turnByteCount = 256 << 10
    private static let inflatedByteCount = 16 << 10

    private let driver: WebSocketDriver
    private let queue: MessageQueue
    private var decoder: WebSocketDecoder
    /// The bytes that the decoder reads now, with the end of a split header; other bytes wait in `rest`.
    private var unread: ByteBuffer
    private var rest = ByteBuffer()
    private var needsOutput = false
    /// Whether the previous message was compressed, so that the decoder gets room for inflated bytes before it asks.
    private var expectsInflating = false
    private var assembler = MessageAssembler()
    private var isInMessage = false
    private var deliversFragments = false
    private var batch = MessageBatch()

    init(_ driver: WebSocketDriver, decoder: consuming WebSocketDecoder, received: ByteBuffer) {
        self.driver = driver
        self.queue = driver.queue
        self.decoder = decoder
        self.unread = received
    }

    consuming func run() async {
        do throws(WebSocketViolation) {
            try await self.readMessages()
        } catch {
            _ = self.put()  // without waiting: the Close frame must be sent even if no task takes messages
            self.driver.violated(error)
            await self.drain()
        }
        self.driver.readerEnded()
    }

    private mutating func readMessages() async throws(WebSocketViolation) {
        while true {
            try await self.decode()
            let bytes: ByteBuffer?
            do throws(ConnectionError) {
                // Wait for many bytes only within a long frame, so that invalid text is detected at once. With keep-alive, every
                // byte must be reported, because a slow server must count as alive.
                let gathers = !self.driver.mustHear && self.decoder.expectedByteCount >= Self.gatheredByteCount
                let count = gathers ? Self.gatheredByteCount : 1
                bytes = try await self.driver.connection.read(atLeast: count, deadline: nil)
            } catch {
                return self.driver.connectionFailed(error)
            }
            guard let bytes else { return self.driver.peerEnded() }
            self.driver.received()
            if self.unread.readableBytes == 0 { self.unread = bytes } else { self.rest = bytes }
        }
    }

    /// Discards the bytes after a violation: closing with unread bytes resets the connection, perhaps before the server has read
    /// the Close frame.
    private mutating func drain() async {
        while let bytes = try? await self.driver.connection.read(atLeast: 1, deadline: nil), bytes.readableBytes > 0 {}
        self.driver.peerEnded()
    }

    // MARK: Decoding

    private mutating func decode() async throws(WebSocketViolation) {
        var inflatedByteCount = 0
        while true {
            let progress = try self.decodeMessages()
            self.unread.moveReaderIndex(forwardBy: progress.consumedByteCount)
            if let wasCompressed = progress.wasCompressed { self.expectsInflating = wasCompressed }
            self.needsOutput = progress.step?.needsOutput ?? false
            guard let step = progress.step else {
                await self.deliver()
                continue
            }
            if let event = step.event { self.handle(event) }
            self.unread.moveReaderIndex(forwardBy: step.consumedByteCount)
            if step.event == nil, !step.needsOutput, !self.refill() { break }
            if self.batch.isFull { await self.deliver() }
            if step.needsOutput {
                inflatedByteCount += Self.inflatedByteCount
                if inflatedByteCount.isMultiple(of: Self.turnByteCount) { await Task.yield() }
            }
        }
        if !self.batch.items.isEmpty { await self.deliver() }
        if self.unread.readableBytes == 0 { self.unread = ByteBuffer() }  // so that an idle WebSocket keeps no buffer
    }

    private mutating func decodeMessages() throws(WebSocketViolation) -> MessageBatch.Progress {
        if !self.isInMessage { self.deliversFragments = self.queue.wantsFragments }
        let takesMessages = !self.isInMessage && !self.deliversFragments
        if self.needsOutput || self.expectsInflating {
            return try Self.decode(self.unread, by: &self.decoder, into: &self.batch, &self.assembler, takesMessages)
        }
        var none = OutputRawSpan()
        return try self.batch
            .decode(self.unread, by: &self.decoder, inflatingInto: &none, takesMessages: takesMessages)
    }

    private static func decode(
        _ bytes: ByteBuffer,
        by decoder: inout WebSocketDecoder,
        into batch: inout MessageBatch,
        _ assembler: inout MessageAssembler,
        _ takesMessages: Bool
    ) throws(WebSocketViolation) -> MessageBatch.Progress {
        try assembler.withSpace(Self.inflatedByteCount) { space throws(WebSocketViolation) in
            try batch.decode(bytes, by: &decoder, inflatingInto: &space, takesMessages: takesMessages)
        }
    }

    private mutating func refill() -> Bool {
        guard self.rest.readableBytes > 0 else { return false }
        if self.unread.readableBytes == 0 {
            swap(&self.unread, &self.rest)
            self.rest.clear()
        } else {
            // Complete a header or a control frame, with at most 127 bytes. Once the decoder has consumed them, `unread` is empty
            // and `rest` replaces it, so `unread` cannot grow from frame to frame.
            let count = min(self.decoder.expectedByteCount, self.rest.readableBytes)
            if let first = self.rest.readSlice(length: count) { self.unread.append(arrived: first) }
        }
        return true
    }

    // MARK: Events

    private mutating func handle(_ event: WebSocketDecoder.Event) {
        switch event {
        case .message(let kind, let range):  // only if the application takes fragments
            self.expectsInflating = false
            self.addFragment(kind, range, isFinal: true)
        case .part(let kind, let range, let isFinal):
            guard !self.deliversFragments else {
                self.isInMessage = !isFinal
                return self.addFragment(kind, range, isFinal: isFinal)
            }
            let announced = range.count + (isFinal ? 0 : self.decoder.expectedByteCount)
            self.assembler.append(range, of: self.unread, announced: announced)
            self.addPart(kind, isFinal)
        case .inflated(let kind, _, let isFinal):
            self.expectsInflating = true
            self.addPart(kind, isFinal)
        case .ping(let range):
            self.driver.received(ping: self.unread.getSlice(range))
        case .pong(let range):
            self.driver.received(pong: self.unread.getSlice(range))
        case .close(let code, let reason):
            _ = self.put()  // deliver the messages that came before the Close frame
            self.driver.received(close: code, reason)
        }
    }

    /// Adds the bytes in the assembler to the batch: in parts as they arrive, or as a message when it is complete.
    private mutating func addPart(_ kind: MessageKind, _ isFinal: Bool) {
        self.isInMessage = !isFinal
        if self.deliversFragments {
            self.batch.add(.fragment(self.assembler.finishPart(kind, isFinal: isFinal)))
        } else if isFinal {
            self.batch.add(.message(self.assembler.finish(kind)))
        }
    }

    private mutating func addFragment(_ kind: MessageKind, _ range: Range<Int>, isFinal: Bool) {
        let data = self.unread.withUnsafeReadableBytes { Data(UnsafeRawBufferPointer(rebasing: $0[range])) }
        self.batch.add(.fragment(WebSocketFragment(kind: kind, data: data, isFinal: isFinal)))
    }

    private mutating func put() -> Bool {
        self.batch.move(to: self.queue)
    }

    private mutating func deliver() async {
        guard !self.put() else { return }
        self.driver.pausedReading(true)
        await self.queue.waitForRoom()
        self.driver.pausedReading(false)
    }
}

extension ByteBuffer {
    fileprivate func getSlice(_ range: Range<Int>) -> ByteBuffer {
        self.getSlice(at: self.readerIndex + range.lowerBound, length: range.count) ?? ByteBuffer()
    }
}
