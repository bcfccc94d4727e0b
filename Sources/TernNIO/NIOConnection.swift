// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// A connection over a channel: a mailbox between the event loop and the tasks that use it.
final class NIOConnection: Connection {
    /// The number of bytes that the mailbox holds before it stops the network: enough for the receiving thread to work
    /// while the reader stores earlier bytes, but small enough for a process with many slow readers.
    static let receiveLimit = 256 << 10
    static let sendLimit = 256 << 10

    let channel: any Channel
    let handler: NIOLoopBound<ConnectionHandler>
    let tls: (contexts: TLSContexts, clock: any TransportClock)
    private let inbox: Inbox
    private let outbox: Outbox
    private let flush: @Sendable () -> Void
    private let isEncrypted = Atomic<Bool>(false)

    /// Takes over an active channel; runs on its event loop.
    init(
        channel: any Channel,
        handler: NIOLoopBound<ConnectionHandler>,
        inbox: Inbox,
        outbox: Outbox,
        tls: (contexts: TLSContexts, clock: any TransportClock)
    ) {
        self.channel = channel
        self.handler = handler
        self.inbox = inbox
        self.outbox = outbox
        self.tls = tls
        let eventLoop = channel.eventLoop
        let flushNow: @Sendable () -> Void = { handler.value.flush() }
        // The flush is deferred even on the event loop itself, so that everything queued in one tick leaves in one
        // write.
        self.flush = { eventLoop.execute(flushNow) }
        inbox.onDemand { channel.read() }
    }

    deinit { self.close() }

    /// Whether files can be sent directly: the system cannot encrypt what it sends from a file.
    private var canSendFiles: Bool { !self.isEncrypted.load(ordering: .relaxed) }

    /// Records that all bytes are encrypted from now on.
    func markEncrypted() { self.isEncrypted.store(true, ordering: .relaxed) }

    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        try await self.inbox.read(atLeast: byteCount, deadline: deadline)
    }

    func limitReads(to deadline: CallDeadline?) { self.inbox.limitReads(to: deadline) }

    func readAvailable() -> ByteBuffer? { self.inbox.take() }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        try self.outbox.enqueue(.bytes(bytes), flush: self.flush)
    }

    func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool? {
        guard self.canSendFiles else { return nil }
        return try self.outbox.enqueue(.file(file, range), flush: self.flush)
    }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        try await self.outbox.waitForRoom(deadline: deadline)
    }

    var executor: (any TaskExecutor)? { EventLoopExecutor(self.channel.eventLoop) }

    var addresses: ConnectionAddresses {
        ConnectionAddresses(local: self.channel.localAddress?.text, remote: self.channel.remoteAddress?.text)
    }

    var maximumFileSegmentByteCount: Int64 { self.canSendFiles ? 4 << 20 : 256 << 10 }

    var isReadyForExchange: Bool { self.inbox.isPristine && self.outbox.isEmpty }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.inbox.onEnd(action) }

    func close() {
        self.inbox.close()
        self.outbox.close()
        // Closing comes after the pending flush, so that queued bytes are handed to the system first.
        self.channel.eventLoop.execute { [channel, handler] in handler.value.close(channel) }
    }

    func close(then action: @escaping @Sendable () -> Void) {
        self.close()
        self.channel.closeFuture.whenComplete { _ in action() }
    }
}
