// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// A connection over a NIO channel, with an inbox and an outbox between the channel and the tasks.
final class NIOConnection: SourcedConnection, MeasuredConnection {
    /// The number of bytes in the inbox at which the connection stops reading: enough for the loop to work while the reader does.
    static let receiveLimit = 256 << 10
    static let sendLimit = 256 << 10

    let channel: any Channel
    let handler: NIOLoopBound<ConnectionHandler>
    let tls: (contexts: TLSContexts, clock: any TransportClock)
    private let inbox: Inbox
    private let outbox: Outbox
    private let flush: @Sendable (_ byteCount: Int64, _ isCopied: Bool) -> Void
    /// The channel, if the calling threads read and write its socket; `nil` if an event loop does.
    let network: (any DirectNetwork)?
    private let isEncrypted = Atomic<Bool>(false)
    /// The connection that carries the bytes of the channel; `nil` for a socket.
    private let base: (any Connection)?

    /// Takes over an active channel, on its event loop.
    init(
        channel: any Channel,
        handler: NIOLoopBound<ConnectionHandler>,
        inbox: Inbox,
        outbox: Outbox,
        tls: (contexts: TLSContexts, clock: any TransportClock),
        inside base: (any Connection)?,
        network: (any DirectNetwork)?
    ) {
        self.base = base
        self.channel = channel
        self.handler = handler
        self.inbox = inbox
        self.outbox = outbox
        self.tls = tls
        let eventLoop = channel.eventLoop
        let flushNow: @Sendable () -> Void = { handler.value.flush() }
        if let network {
            self.flush = { byteCount, isCopied in network.flushSoon(byteCount, isCopied: isCopied, flushNow) }
        } else {
            // Deferred even on the event loop, so that one write sends everything that is queued in one tick.
            self.flush = { _, _ in eventLoop.execute(flushNow) }
        }
        self.network = network
        if let network {
            inbox.onDemand { network.readerDemands() }
            network.onProgress { outbox.progressed() }
        } else {
            inbox.onDemand { channel.read() }
        }
    }

    deinit { self.close() }

    /// Whether nothing encrypts the bytes or carries them in another connection, so that the system can also send files.
    private var isPlain: Bool { self.base == nil && !self.isEncrypted.load(ordering: .relaxed) }

    func markEncrypted() { self.isEncrypted.store(true, ordering: .relaxed) }

    /// Lets the handlers of the channel decide what to read, because one of them will handle TLS.
    func readThroughHandlers() { self.inbox.onDemand { [channel] in channel.read() } }

    var source: (any InboxSource)? { self.network }

    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        try await self.inbox.read(atLeast: byteCount, deadline: deadline)
    }

    func read(
        orLater action: @escaping @Sendable (Result<ByteBuffer?, ConnectionError>) -> Void
    ) -> Result<ByteBuffer?, ConnectionError>? {
        self.inbox.read(orLater: action)
    }

    func limitReads(to deadline: CallDeadline?) { self.inbox.limitReads(to: deadline) }

    func readAvailable() -> ByteBuffer? { self.inbox.take() }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        try self.outbox.enqueue(.bytes(bytes)) { self.flush($0, self.isPlain) }
    }

    func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool? {
        guard self.isPlain else { return nil }
        // The system may have to read the file from the disk, for which the caller must not wait.
        return try self.outbox.enqueue(.file(file, range)) { self.flush($0, false) }
    }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        try await self.outbox.waitForRoom(deadline: deadline)
    }

    var lastSent: ClockInstant? {
        guard let base = self.base else { return self.outbox.lastSent }
        return (base as? any MeasuredConnection)?.lastSent
    }

    var executor: (any TaskExecutor)? {
        self.network == nil ? EventLoopExecutor(self.channel.eventLoop) : nil
    }

    var addresses: ConnectionAddresses {
        self.base?.addresses
            ?? ConnectionAddresses(local: self.channel.localAddress?.text, remote: self.channel.remoteAddress?.text)
    }

    var maximumFileSegmentByteCount: Int64 { self.isPlain ? 4 << 20 : 256 << 10 }

    var isReadyForExchange: Bool {
        guard let network = self.network else { return self.isIdle }
        network.receiveUnwatched()
        return self.isIdle && network.hasSentAll
    }

    /// Whether neither side has ended, and no bytes wait for the reader or for the channel.
    var isIdle: Bool { self.inbox.isPristine && self.outbox.isEmpty }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.inbox.onEnd(action) }

    func close() {
        self.inbox.close()
        self.outbox.close()
        // First the flush, which may still wait on another thread, so that the system gets the queued bytes.
        self.channel.eventLoop.execute { [channel, handler] in
            handler.value.flush()
            handler.value.close(channel)
        }
    }

    func close(then action: @escaping @Sendable () -> Void) {
        self.close()
        self.channel.closeFuture.whenComplete { _ in action() }
    }
}
