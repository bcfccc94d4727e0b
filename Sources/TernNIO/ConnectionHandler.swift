// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL
import TernConnections
import TernErrors

/// The handler at the end of a channel's pipeline, on the event loop: feeds the inbox, and sends what is in the outbox.
///
/// It calls `read()` only while the inbox has room, so a slow reader slows down the peer.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = IOData

    /// The interval for measuring a file while the system sends it: shorter than usual idle timeouts, and cheap.
    private static let measuringInterval: TimeAmount = .milliseconds(500)

    /// The length, in bytes, of the parts of a long piece; sending them together takes about as many system calls as the whole.
    private static let reportedByteCount = 128 << 10

    private let inbox: Inbox
    private let outbox: Outbox
    // On the loop, one after the other; see `DirectChannel`.
    @exclusivity(unchecked) private var round: [ByteBuffer] = []
    @exclusivity(unchecked) private var pieces: [Outbox.Piece] = []
    @exclusivity(unchecked) private var context: ChannelHandlerContext?
    private var isFlushing = false
    /// The number from the latest `Outbox.takeAll(into:)` whose pieces the channel has sent.
    private var sentNumber = 0
    /// Whether the channel itself knows what it has not sent, so that no flush needs a promise.
    private let channelKnowsUnsent: Bool
    /// Closes the socket below TLS; `nil` without TLS.
    private(set) var socketCloser: SocketCloser?
    /// Knows which certificates TLS has shown; `nil` without TLS.
    private var judge: HandshakeJudge?

    init(inbox: Inbox, outbox: Outbox, channelKnowsUnsent: Bool = false) {
        self.inbox = inbox
        self.outbox = outbox
        self.channelKnowsUnsent = channelKnowsUnsent
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.inbox.end(.closed)
        self.outbox.fail(.closed)
    }

    // MARK: Receiving

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data)
        // TLS decrypts the next bytes into the same storage. If the inbox kept it, NIO would have to copy all of it first.
        let keepsStorage = self.socketCloser == nil || self.inbox.handlesBytesAtOnce
        self.round.append(keepsStorage ? bytes : ByteBuffer(buffer: bytes))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let continues = self.inbox.receive(self.round)
        self.round.removeAll(keepingCapacity: true)
        if continues { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            self.deliverRound()
            self.inbox.end(nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.deliverRound()
        self.inbox.end(nil)
        self.outbox.fail(.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let failure = ConnectionError(error, self.judge?.shown ?? ShownCertificates())
        self.deliverRound()
        self.inbox.end(failure)
        self.outbox.fail(failure)
        self.close(context.channel)
    }

    func closesBelowTLS(by closer: SocketCloser) { self.socketCloser = closer }

    func beginsTLS(_ judge: HandshakeJudge) { self.judge = judge }

    /// Closes the channel at once, with TLS's alert first, if the socket accepts it.
    ///
    /// "Clients MUST send a closure alert before closing the connection. Clients that do not expect to receive any more data MAY
    /// choose not to wait for the server's closure alert" (RFC 9112 §9.8).
    func close(_ channel: any Channel) {
        channel.close(promise: nil)
        self.socketCloser?.close()
    }

    private func deliverRound() {
        guard !self.round.isEmpty else { return }
        _ = self.inbox.receive(self.round)
        self.round.removeAll(keepingCapacity: true)
    }

    // MARK: Sending

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.outbox.setWritable(context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func flush() {
        guard let context = self.context else { return }
        var pieces: [Outbox.Piece] = []
        swap(&pieces, &self.pieces)
        let number = self.outbox.takeAll(into: &pieces)
        self.isFlushing = true
        if let last = pieces.popLast() {
            for piece in pieces { self.write(piece, nil, context: context) }
            // Writes complete in order, so it is enough to wait for the last one.
            self.write(last, self.promise(forSendingUpTo: number, context: context), context: context)
        }
        pieces.removeAll(keepingCapacity: true)
        swap(&pieces, &self.pieces)
        context.flush()
        self.isFlushing = false
        self.outbox.flushed(sentUpTo: self.sentNumber, isWritable: context.channel.isWritable)
    }

    /// Returns a promise for the sending of all pieces; `nil` if ``channelKnowsUnsent``, because promises are slow with TLS.
    private func promise(forSendingUpTo number: Int, context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
        guard !self.channelKnowsUnsent else {
            self.sentNumber = number
            return nil
        }
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { self.sent(upTo: number) }
        return sent
    }

    /// Records that the channel has sent all pieces up to a number; during ``flush()``, that method tells the outbox.
    private func sent(upTo number: Int) {
        self.sentNumber = number
        if !self.isFlushing { self.outbox.sent(upTo: number) }
    }

    private func write(_ piece: Outbox.Piece, _ sent: EventLoopPromise<Void>?, context: ChannelHandlerContext) {
        switch piece {
        case .bytes(let bytes) where self.reportsParts(of: bytes.readableBytes):
            var rest = bytes
            while self.reportsParts(of: rest.readableBytes),
                let part = rest.readSlice(length: Self.reportedByteCount)
            {
                context.write(NIOAny(part), promise: self.progressPromise(context: context))
            }
            context.write(NIOAny(rest), promise: sent)
        case .bytes(let bytes):
            context.write(NIOAny(bytes), promise: sent)  // an `IOData`, too, but found by one cast instead of three
        case .file(let file, let range):
            // The system reads the descriptor while it sends the file, so `file` must live until the promise completes. NIO wants
            // to own the descriptor; the code below takes it back, because `file` closes it.
            let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.descriptor)
            let promise = sent ?? context.eventLoop.makePromise(of: Void.self)
            let watch = self.watch(file, sentUpTo: range.upperBound, context: context)
            promise.futureResult.assumeIsolated().whenComplete { _ in
                watch.cancel()
                _ = try? handle.takeDescriptorOwnership()
                withExtendedLifetime(file) {}
            }
            var start = Int(range.lowerBound)
            let end = Int(range.upperBound)
            while self.reportsParts(of: end - start) {
                let part = FileRegion(
                    fileHandle: handle,
                    readerIndex: start,
                    endIndex: start + Self.reportedByteCount
                )
                let sentPart = self.progressPromise(context: context)
                context.write(Self.wrapOutboundOut(.fileRegion(part)), promise: sentPart)
                start += Self.reportedByteCount
            }
            let region = FileRegion(fileHandle: handle, readerIndex: start, endIndex: end)
            context.write(Self.wrapOutboundOut(.fileRegion(region)), promise: promise)
        }
    }

    /// Whether to write a long piece in parts, so that a slow peer is seen to accept bytes before it has accepted all of them.
    private func reportsParts(of byteCount: Int) -> Bool {
        !self.channelKnowsUnsent && byteCount > Self.reportedByteCount
    }

    private func progressPromise(context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { self.outbox.progressed() }
        return sent
    }

    /// Fails the connection if the file becomes too short, because NIO would try forever to send from it.
    private func watch(_ file: ReadableFile, sentUpTo end: Int64, context: ChannelHandlerContext) -> RepeatedTask {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        return context.eventLoop.scheduleRepeatedTask(
            initialDelay: .zero,
            delay: Self.measuringInterval
        ) { task in
            guard file.currentByteCount < end else { return }
            task.cancel()
            guard let context = handler.value.context else { return }
            handler.value.errorCaught(context: context, error: ConnectionError.file(.fileChanged))
        }
    }
}
