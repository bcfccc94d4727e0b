// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors

/// One end of a connection in memory, the client's or the server's.
final class MemoryConnection: MeasuredConnection {
    private let inbox: Inbox
    private let outbox: Outbox
    private let outgoing: MemoryPipe
    private let incoming: MemoryPipe
    private let isOpen = Atomic<Bool>(true)
    private let onClose: @Sendable () -> Void
    typealias Trust = @Sendable (_ host: String) -> ServerTrust

    let trust: Trust?
    /// In the server's order of preference; empty if it chooses none (RFC 7301).
    private let applicationProtocols: [String]
    private let hasSent = Atomic<Bool>(false)

    private init(
        inbox: Inbox,
        outbox: Outbox,
        outgoing: MemoryPipe,
        incoming: MemoryPipe,
        trust: Trust? = nil,
        applicationProtocols: [String] = [],
        onClose: @escaping @Sendable () -> Void
    ) {
        self.trust = trust
        self.applicationProtocols = applicationProtocols
        self.inbox = inbox
        self.outbox = outbox
        self.outgoing = outgoing
        self.incoming = incoming
        self.onClose = onClose
    }

    deinit { self.close() }

    /// Creates both ends; `onClose` is called once, when the client closes or releases its end.
    static func pair(
        capacity: Int,
        clock: any TransportClock,
        toClient: [Adversity],
        toServer: [Adversity],
        trust: Trust? = nil,
        applicationProtocols: [String] = [],
        onClose: @escaping @Sendable () -> Void
    ) -> (client: MemoryConnection, server: MemoryConnection) {
        let down = DirectionFaults(toClient)
        let up = DirectionFaults(toServer)
        // With `drip`, the inbox has room for only one piece. So the next piece waits until the receiver has taken the
        // previous one.
        let clientInbox = Inbox(limit: down.maximumPieceByteCount ?? capacity, clock: clock)
        let serverInbox = Inbox(limit: up.maximumPieceByteCount ?? capacity, clock: clock)
        let clientOutbox = Outbox(limit: capacity, clock: clock)
        let serverOutbox = Outbox(limit: capacity, clock: clock)
        let downwards = MemoryPipe(from: serverOutbox, to: clientInbox, reverse: clientOutbox, faults: down)
        let upwards = MemoryPipe(from: clientOutbox, to: serverInbox, reverse: serverOutbox, faults: up)
        let client = MemoryConnection(
            inbox: clientInbox,
            outbox: clientOutbox,
            outgoing: upwards,
            incoming: downwards,
            trust: trust,
            applicationProtocols: applicationProtocols,
            onClose: onClose
        )
        let server = MemoryConnection(
            inbox: serverInbox,
            outbox: serverOutbox,
            outgoing: downwards,
            incoming: upwards,
            onClose: {}
        )
        return (client, server)
    }

    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer? {
        try await self.inbox.read(atLeast: byteCount, deadline: deadline)
    }

    func limitReads(to deadline: CallDeadline?) { self.inbox.limitReads(to: deadline) }

    func readAvailable() -> ByteBuffer? { self.inbox.take() }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        self.hasSent.store(true, ordering: .relaxed)
        return try self.outbox.enqueue(.bytes(bytes)) { _ in self.outgoing.flush() }
    }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        try await self.outbox.waitForRoom(deadline: deadline)
    }

    var lastSent: ClockInstant? { self.outbox.lastSent }

    var isReadyForExchange: Bool { self.inbox.isPristine && self.outbox.isEmpty }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.inbox.onEnd(action) }

    /// Ends the direction in which this end sends; it can still read.
    func finish() { self.outgoing.end(.finish) }

    func reset() { self.end(.reset) }

    func close() { self.end(.close) }

    func fail(_ failure: ConnectionError) { self.end(.fail(failure)) }

    private func end(_ end: MemoryPipe.End) {
        guard self.isOpen.exchange(false, ordering: .relaxed) else { return }
        self.incoming.abandon()
        self.outgoing.end(end)
        self.inbox.close()
        self.onClose()
    }
}

extension MemoryConnection {
    /// Asks the decider about the server's certificate as a TLS handshake would; the bytes are not encrypted.
    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        guard let trust = self.trust?(host) else {
            throw .tls(.configuration("the connection in memory does not support TLS"))
        }
        let decision = await decider?.decide(on: trust, port: port, isEstablished: false) ?? .byDefault
        guard !Task.isCancelled else { throw .cancelled }
        switch decision {
        case .reject:
            throw .tls(.rejected)
        case .byDefault:
            if let failure = trust.evaluation { throw .tls(failure) }
            return TLSFacts(version: .tls13, applicationProtocol: self.choice(of: configuration), trust: trust)
        case .accept(let isForOneCall):
            return TLSFacts(
                version: .tls13,
                applicationProtocol: self.choice(of: configuration),
                trust: trust,
                isForOneCall: isForOneCall
            )
        }
    }

    /// Never chooses HTTP/2 after the client has sent bytes, such as CONNECT, which the server has read as HTTP/1.1.
    private func choice(of configuration: TLSConfiguration) -> String? {
        let offer = configuration.applicationProtocols
        return self.applicationProtocols.first { name in
            offer.contains(name) && !(name == "h2" && self.hasSent.load(ordering: .relaxed))
        }
    }
}
