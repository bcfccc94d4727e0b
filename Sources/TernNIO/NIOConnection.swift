// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernTransport

/// A connection over a channel: a mailbox between the event loop and the tasks that use it.
final class NIOConnection: Connection {
    /// What the mailbox may hold before it stops the network: enough for the receiving thread to work while the reader
    /// stores what came before, little enough that a process with many slow readers stays small.
    static let receiveLimit = 256 << 10
    static let sendLimit = 256 << 10

    private let channel: any Channel
    private let inbox: Inbox
    private let outbox: Outbox
    private let flush: @Sendable () -> Void
    private let canSendFiles: Bool

    /// Takes an active channel over; runs on its event loop.
    init(
        channel: any Channel,
        handler: NIOLoopBound<ConnectionHandler>,
        inbox: Inbox,
        outbox: Outbox,
        isEncrypted: Bool
    ) {
        self.channel = channel
        self.inbox = inbox
        self.outbox = outbox
        self.canSendFiles = !isEncrypted
        let eventLoop = channel.eventLoop
        let flushNow: @Sendable () -> Void = { handler.value.flush() }
        self.flush = { if eventLoop.inEventLoop { flushNow() } else { eventLoop.execute(flushNow) } }
        inbox.onDemand { channel.read() }
    }

    deinit { self.close() }

    func read(atLeast byteCount: Int, deadline: Deadline?) async throws(ConnectionError) -> ByteBuffer? {
        try await self.inbox.read(atLeast: byteCount, deadline: deadline)
    }

    func limitReads(to deadline: Deadline?) { self.inbox.limitReads(to: deadline) }

    func readAvailable() -> ByteBuffer? { self.inbox.take() }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        try self.outbox.enqueue(.bytes(bytes), flush: self.flush)
    }

    func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool? {
        guard self.canSendFiles else { return nil }
        return try self.outbox.enqueue(.file(file, range), flush: self.flush)
    }

    func waitForRoom(deadline: Deadline?) async throws(ConnectionError) {
        try await self.outbox.waitForRoom(deadline: deadline)
    }

    var executor: (any TaskExecutor)? { EventLoopExecutor(self.channel.eventLoop) }

    var maximumFileSegmentByteCount: Int64 { self.canSendFiles ? 4 << 20 : 256 << 10 }

    var isReadyForExchange: Bool { self.inbox.isPristine }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.inbox.onEnd(action) }

    func close() {
        self.inbox.close()
        // What is queued goes out first: from other threads its flush is on its way already, ahead of this close.
        self.outbox.close()
        if self.channel.eventLoop.inEventLoop { self.flush() }
        self.channel.close(promise: nil)
    }
}
