// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors

/// One end of a connection in memory.
///
/// The client's and the server's end work in the same way.
final class MemoryConnection: Connection {
    private let inbox: Inbox
    private let outbox: Outbox
    private let outgoing: MemoryPipe
    private let incoming: MemoryPipe
    private let isOpen = Atomic<Bool>(true)
    private let onClose: @Sendable () -> Void
    /// Returns the certificate that the server presents when the client starts TLS, and whether the certificate is
    /// trusted.
    typealias Trust = @Sendable (_ host: String) -> ServerTrust

    let trust: Trust?
    /// The protocols of a server that uses TLS, in its order of preference; empty if it chooses none (RFC 7301).
    private let applicationProtocols: [String]
    /// Whether this end has sent bytes.
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

    /// Creates both ends of a connection.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes that each end buffers.
    ///   - clock: The clock for deadlines.
    ///   - toClient: The faults that affect the bytes to the client.
    ///   - toServer: The faults that affect the bytes to the server.
    ///   - trust: Returns the certificate that the server presents when the client starts TLS. `nil` if the connection
    ///     does not support TLS.
    ///   - applicationProtocols: The protocols of a server that uses TLS, in its order of preference. Defaults to none.
    ///   - onClose: Called once, when the client closes or releases its end.
    /// - Returns: The two ends.
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

    var isReadyForExchange: Bool { self.inbox.isPristine && self.outbox.isEmpty }

    func onEnd(_ action: @escaping @Sendable () -> Void) { self.inbox.onEnd(action) }

    /// Ends the direction in which this end sends.
    ///
    /// This end can still read.
    func finish() {
        self.outgoing.end(.finish)
        self.outbox.fail(.closed)
    }

    /// Resets the connection.
    func reset() { self.end(.reset) }

    func close() { self.end(.close) }

    /// Ends both directions with an error on both sides.
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
    /// Asks the decider about the server's certificate, and accepts or rejects it as a TLS handshake would.
    ///
    /// The bytes are not encrypted.
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

    /// Returns the protocol that the server chooses from the client's offer.
    ///
    /// The server does not choose HTTP/2 if the client has already sent bytes, such as CONNECT: the server has read
    /// them as HTTP/1.1, and continues with that version.
    private func choice(of configuration: TLSConfiguration) -> String? {
        let offer = configuration.applicationProtocols
        return self.applicationProtocols.first { name in
            offer.contains(name) && !(name == "h2" && self.hasSent.load(ordering: .relaxed))
        }
    }
}
