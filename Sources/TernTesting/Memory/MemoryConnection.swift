// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors

/// One end of a connection in memory; both ends are alike.
final class MemoryConnection: Connection {
    private let inbox: Inbox
    private let outbox: Outbox
    private let outgoing: MemoryPipe
    private let incoming: MemoryPipe
    private let isOpen = Atomic<Bool>(true)
    private let onClose: @Sendable () -> Void
    /// What a server presents when TLS is negotiated.
    typealias Trust = @Sendable (_ host: String) -> ServerTrust

    let trust: Trust?

    private init(
        inbox: Inbox,
        outbox: Outbox,
        outgoing: MemoryPipe,
        incoming: MemoryPipe,
        trust: Trust? = nil,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.trust = trust
        self.inbox = inbox
        self.outbox = outbox
        self.outgoing = outgoing
        self.incoming = incoming
        self.onClose = onClose
    }

    deinit { self.close() }

    /// Makes both ends of a connection.
    ///
    /// - Parameters:
    ///   - capacity: how many bytes each end buffers.
    ///   - clock: what deadlines go by.
    ///   - toClient: what befalls the bytes to the client.
    ///   - toServer: what befalls the bytes to the server.
    ///   - trust: what the server presents when TLS is negotiated; `nil` where it cannot be.
    ///   - onClose: called once, when the client closes or releases its end.
    /// - Returns: the two ends.
    static func pair(
        capacity: Int,
        clock: any TransportClock,
        toClient: [Adversity],
        toServer: [Adversity],
        trust: Trust? = nil,
        onClose: @escaping @Sendable () -> Void
    ) -> (client: MemoryConnection, server: MemoryConnection) {
        let down = DirectionFaults(toClient)
        let up = DirectionFaults(toServer)
        // An inbox no larger than a drop keeps the next one back until this one is taken.
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
        try self.outbox.enqueue(.bytes(bytes)) { self.outgoing.flush() }
    }

    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError) {
        try await self.outbox.waitForRoom(deadline: deadline)
    }

    var isReadyForExchange: Bool { self.inbox.isPristine && self.outbox.isEmpty }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.inbox.onEnd(action) }

    /// Ends the sending direction; reading goes on.
    func finish() {
        self.outgoing.end(.finish)
        self.outbox.fail(.closed)
    }

    /// Ends both directions by force.
    func reset() { self.end(.reset) }

    func close() { self.end(.close) }

    /// Ends both directions, and has both sides fail.
    func fail(_ failure: ConnectionError) { self.end(.fail(failure)) }

    private func end(_ end: MemoryPipe.End) {
        guard self.isOpen.exchange(false, ordering: .relaxed) else { return }
        self.incoming.abandon()
        self.outgoing.end(end)
        self.inbox.close()
        self.outbox.fail(.closed)
        self.onClose()
    }
}

extension MemoryConnection {
    /// Asks and decides as TLS would; the bytes stay as they are.
    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        guard let trust = self.trust?(host) else { throw .tls(.configuration("this end does not negotiate TLS")) }
        let decision = await decider?.decide(on: trust, port: port, isEstablished: false) ?? .byDefault
        guard !Task.isCancelled else { throw .cancelled }
        switch decision {
        case .reject:
            throw .tls(.rejected)
        case .byDefault:
            if let failure = trust.evaluation { throw .tls(failure) }
            return TLSFacts(version: .tls13, trust: trust)
        case .accept(let isForOneCall):
            return TLSFacts(version: .tls13, trust: trust, isForOneCall: isForOneCall)
        }
    }
}
