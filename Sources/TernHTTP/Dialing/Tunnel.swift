// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernProxies
import TernRequests
import TernTransport

/// Asks a proxy to connect to the server, with CONNECT (RFC 9110 §9.3.6) or SOCKS (RFC 1928).
///
/// Each CONNECT is an exchange in a slot. A 2xx makes its whole connection the tunnel, or over HTTP/2 its stream (RFC 9113 §8.5).
struct Tunnel: Sendable {
    /// A slot on a connection to the proxy, and the deadline for the answer to a CONNECT in this slot.
    typealias Place = (slot: Slot, deadline: CallDeadline?)

    /// Lends a slot: on a new connection if `isFresh`, and before calls that have not asked yet if `goesFirst`.
    typealias Lender = @Sendable (_ isFresh: Bool, _ goesFirst: Bool) async throws(ClientError) -> Place

    /// The maximum number of CONNECT requests to open a tunnel in one call.
    ///
    /// Beyond it, the call throws `ClientError.proxyFailed(.authenticationRequired)`.
    private static let maximumAttemptCount = 8
    /// The maximum number of connections to try for one CONNECT, because one that others share may end at any time.
    private static let maximumConnectionCount = 4
    /// The maximum number of bytes that the client reads from the body of a 407 to keep the connection.
    private static let maximumDrainByteCount = 64 << 10

    private enum Answer {
        case open(EstablishedConnection)
        case challenged(HTTPResponse)
        /// The connection was lost in such a way that another one may get the CONNECT.
        case lost(ClientError)
    }

    let proxy: Proxy
    let call: HTTPCall
    private let target: ConnectionTarget
    private let dialer: Dialer
    private let observer: DialObserver

    init(
        _ target: ConnectionTarget,
        _ proxy: Proxy,
        dialer: Dialer,
        call: HTTPCall,
        _ observer: DialObserver
    ) {
        self.target = target
        self.proxy = proxy
        self.dialer = dialer
        self.call = call
        self.observer = observer
    }

    var server: (host: String, port: Int) { (self.target.origin.hostWithoutZone, self.target.origin.port) }

    /// Opens the tunnel by CONNECT, and begins TLS with the server; each challenge starts a new deadline, because a person may have
    /// to answer it.
    func open(lending lend: Lender) async throws(ClientError) -> EstablishedConnection {
        var place = try await lend(false, false)
        self.observer.didReach(.tunnelling)
        var negotiation = try await Negotiation(self)
        var lossCount = 0
        while true {
            let slot = place.slot
            let isMultiplexed = slot.pooled.session.isMultiplexed
            let loss: ClientError
            switch try await self.ask(in: slot, negotiation.credentials, place.deadline) {
            case .open(var established):
                do throws(ClientError) {
                    try await negotiation.accepted()
                    established.isTunnelForOneCall = negotiation.isForOneCall
                    try await self.secure(&established, isStream: isMultiplexed)
                    return established
                } catch {
                    await established.connection.closeAndWait()
                    guard isMultiplexed, Self.mayAskAgain(error, slot) else { throw error }
                    loss = error
                }
            case .challenged(let response):
                try await negotiation.answer(response)
                lossCount = 0
                place = try await lend(false, true)
                continue
            case .lost(let error):
                loss = error
            }
            lossCount += 1
            guard lossCount < Self.maximumConnectionCount else { throw loss }
            place = try await lend(!isMultiplexed, true)
            self.observer.didReach(.tunnelling)
        }
    }

    /// Begins TLS with the server in the open tunnel, if the server uses TLS.
    func secure(_ established: inout EstablishedConnection, isStream: Bool = false) async throws(ClientError) {
        // Only a connection of the connector can begin TLS.
        if isStream, self.target.isEncrypted, let connector = self.dialer.connector as? any LayeringConnector {
            do throws(ConnectionError) {
                established.connection = try await connector.layer(over: established.connection)
            } catch {
                throw self.call.error(error, .proxy)
            }
        }
        self.observer.didReach(.tunnelled)
        let deadline = self.call.connectDeadline  // TLS with the server has its own limit
        try await self.dialer.encrypt(&established, self.target, for: self.call, reportingTo: self.observer, deadline)
    }

    /// Provides the credentials for a proxy, and answers the proxy's challenges one after the other.
    struct Negotiation {
        private let tunnel: Tunnel
        private let authorization: (any TunnelAuthorization)?
        private var attemptCount = 0
        private(set) var credentials: HTTPField?

        init(_ tunnel: Tunnel) async throws(ClientError) {
            self.tunnel = tunnel
            self.authorization = tunnel.dialer.configuration.tunnelAuthorizer?
                .tunnel(to: tunnel.authority, through: tunnel.proxy, for: tunnel.call)
            self.credentials = try await self.authorization?.field(answering: nil)
        }

        var isForOneCall: Bool { self.authorization?.isForOneCall ?? false }

        func accepted() async throws(ClientError) { try await self.authorization?.accepted() }

        /// Sets the credentials for the next request.
        mutating func answer(_ response: HTTPResponse) async throws(ClientError) {
            self.attemptCount += 1
            self.credentials = try await self.authorization?.field(answering: response)
            guard self.credentials != nil, self.attemptCount < Tunnel.maximumAttemptCount else {
                let context = self.tunnel.call.context(.proxy, response: response)
                throw .proxyFailed(.authenticationRequired, context)
            }
        }
    }

    // MARK: CONNECT

    /// The target of CONNECT: "the host and port of the tunnel destination, separated by a colon" (RFC 9112 §3.2.3).
    private var authority: String { ConnectionEndpoint.host(self.server.host, port: self.server.port).description }

    /// Sends CONNECT, and returns the meaning of the response; the slot then belongs to the tunnel, or is no longer in use.
    private func ask(
        in slot: Slot,
        _ credentials: HTTPField?,
        _ deadline: CallDeadline?
    ) async throws(ClientError) -> Answer {
        let request = OutgoingRequest(tunnelTo: self.authority, fields: self.fields(with: credentials))
        let call = self.call.callToProxy(until: deadline)
        var reply: HTTPReply
        do throws(ExchangeFailure) {
            reply = try await slot.pooled.session.exchange(request, for: call, in: slot).reply
        } catch {
            slot.discard()
            let error = error.error.atProxy
            guard Self.mayAskAgain(error, slot) else { throw error }
            return .lost(error)
        }
        let response = reply.response.httpResponse
        if let upgrade = reply.upgrade {
            guard upgrade.receivedBytes.readableBytes == 0, upgrade.connection.readAvailable() == nil else {
                await upgrade.connection.closeAndWait()
                throw .proxyFailed(Self.spokeEarly, self.call.context(.proxy, response: response))
            }
            var established = slot.pooled.established
            established.connection = upgrade.connection
            return .open(established)
        }
        guard response.status.code == 407 else {
            reply.discardBody()
            let reason = ProxyFailure.refused(status: response.status.code)
            throw .proxyFailed(reason, self.call.context(.proxy, response: response))
        }
        try await self.drain(&reply, in: slot)
        return .challenged(response)
    }

    private func fields(with credentials: HTTPField?) -> HTTPFields {
        var fields = HTTPFields()
        if let agent = self.call.request.fields[.userAgent] { fields[.userAgent] = agent }
        if let credentials { fields[fields: .proxyAuthorization] = [credentials] }
        return fields
    }

    /// Returns whether another connection to the proxy may get CONNECT, which has no content.
    private static func mayAskAgain(_ error: ClientError, _ slot: Slot) -> Bool {
        guard case .connectionLost = error else { return false }
        // The proxy may have closed a reused connection before, and has not acted on a stream that it refused or never saw.
        return slot.isReused || (slot.pooled.session.isMultiplexed && error.context.delivery != .unknown)
    }

    /// The failure when bytes arrive through the tunnel before the client has sent any; they come from the proxy, because in TLS
    /// and HTTP/1.1, the server never sends first.
    static let spokeEarly = ProxyFailure.violation(
        section: "RFC 9110 §9.3.6",
        reason: "The proxy sent bytes through the tunnel before the client sent a request."
    )

    /// Reads the rest of a challenge, so that its connection can serve another CONNECT; stops if it is too long or invalid.
    private func drain(_ reply: inout HTTPReply, in slot: Slot) async throws(ClientError) {
        let response = reply.response
        // Do not wait for a body that ends with the connection, because waiting costs more than another connection. Over
        // HTTP/2, the next CONNECT needs only another stream.
        if !slot.pooled.session.isMultiplexed, response.contentLength != nil || response[.transferEncoding] != nil {
            var reader = reply.body.makeReader()
            var allowance = Self.maximumDrainByteCount
            do throws(ClientError) {
                while allowance > 0, let bytes = try await reader.next() { allowance -= bytes.readableBytes }
            } catch {
                switch error {
                case .cancelled, .timedOut: throw error.atProxy
                default: break  // the challenge has arrived, so the rest does not matter
                }
            }
        }
        reply.discardBody()
    }
}

extension ClientError {
    /// The error of an exchange with the proxy, as that of the call that needs the tunnel.
    fileprivate var atProxy: ClientError {
        guard self.context.phase != .prepare else { return self }
        var error = self
        error.context.phase = .proxy
        guard case .protocolViolation(let section, let reason, let context) = error else { return error }
        return .proxyFailed(.violation(section: section, reason: reason), context)
    }
}
