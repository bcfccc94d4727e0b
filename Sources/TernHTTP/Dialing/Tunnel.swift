// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernHTTP1
import TernProxies
import TernRequests
import TernTransport

/// Asks a proxy to connect to the server, with CONNECT (RFC 9110 §9.3.6) or SOCKS (RFC 1928).
struct Tunnel: Sendable {
    /// The maximum number of CONNECT requests to open a tunnel in one call.
    ///
    /// Beyond it, the call throws `ClientError.proxyFailed(.authenticationRequired)`.
    private static let maximumAttemptCount = 8
    /// The maximum number of bytes that the client reads from the body of a 407 to keep the connection.
    private static let maximumDrainByteCount = 64 << 10

    enum Answer {
        case open
        case challenged(HTTPResponse)
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

    /// Opens the tunnel; each challenge starts a new deadline, because a person may have to answer it.
    func open(
        over established: inout EstablishedConnection,
        isReused: Bool = false,
        _ deadline: CallDeadline?
    ) async throws(ClientError) {
        guard self.proxy.kind != .socks5 else {
            return try await self.openBySOCKS(over: established.connection, deadline)
        }
        var negotiation = try await Negotiation(self)
        var deadline = deadline
        var mayBeStale = isReused
        while true {
            let (answer, isReusable) = try await self.ask(
                &established,
                negotiation.credentials,
                mayBeStale: mayBeStale,
                deadline
            )
            if try await negotiation.isOpen(by: answer) { break }
            deadline = self.call.deadline(.connect, self.call.timeouts.connect)
            mayBeStale = isReusable && established.connection.isReadyForExchange
            if !mayBeStale { try await self.reconnect(&established, deadline) }
        }
        established.isTunnelForOneCall = negotiation.isForOneCall
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

        /// Returns whether the answer opened the tunnel; otherwise sets the credentials for the next request.
        mutating func isOpen(by answer: Answer) async throws(ClientError) -> Bool {
            guard case .challenged(let response) = answer else {
                try await self.authorization?.accepted()
                return true
            }
            self.attemptCount += 1
            self.credentials = try await self.authorization?.field(answering: response)
            guard self.credentials != nil, self.attemptCount < Tunnel.maximumAttemptCount else {
                let context = self.tunnel.call.context(.proxy, response: response)
                throw .proxyFailed(.authenticationRequired, context)
            }
            return false
        }
    }

    // MARK: CONNECT

    /// The target of CONNECT: "the host and port of the tunnel destination, separated by a colon" (RFC 9112 §3.2.3).
    var authority: String { ConnectionEndpoint.host(self.server.host, port: self.server.port).description }

    private func reconnect(
        _ established: inout EstablishedConnection,
        _ deadline: CallDeadline?
    ) async throws(ClientError) {
        await established.connection.closeAndWait()
        established = try await self.dialer.connect(
            self.target,
            for: self.call,
            reportingTo: self.observer,
            deadline
        )
    }

    /// Sends CONNECT, and sends it again on a new connection if a reused one turns out to be lost.
    private func ask(
        _ established: inout EstablishedConnection,
        _ credentials: HTTPField?,
        mayBeStale: Bool,
        _ deadline: CallDeadline?
    ) async throws(ClientError) -> (Answer, isReusable: Bool) {
        do throws(ClientError) {
            return try await self.ask(established.connection, credentials, deadline)
        } catch {
            guard mayBeStale, case .connectionLost = error else { throw error }
            try await self.reconnect(&established, deadline)
            return try await self.ask(established.connection, credentials, deadline)
        }
    }

    private func ask(
        _ connection: any Connection,
        _ credentials: HTTPField?,
        _ deadline: CallDeadline?
    ) async throws(ClientError) -> (Answer, isReusable: Bool) {
        do throws(ConnectionError) {
            try await connection.write(self.head(credentials), deadline: deadline)
        } catch {
            throw self.call.error(error, .proxy)
        }
        let decoder = ResponseDecoder(method: .connect, limits: HTTP1Limits(self.dialer.configuration.limits))
        var reader = ResponseReader(connection, decoder: decoder)
        var head: Response.Head?
        var isReusable = false
        do throws(ResponseFailure) {
            while head == nil {
                if case .head(let final) = try await reader.next(atLeast: 1, deadline: deadline) { head = final }
            }
            // Do not wait for a body that ends with the connection, because waiting costs more than another connection.
            if let head, head.statusCode == 407, head.contentLength != nil || head[.transferEncoding] != nil {
                isReusable = try await Self.drain(&reader, deadline)
            }
        } catch {
            throw error.clientError(for: self.call, phase: .proxy)
        }
        return (try self.judge(head, hasSpoken: reader.unread.readableBytes > 0), isReusable)
    }

    private func head(_ credentials: HTTPField?) -> ByteBuffer {
        let fields = self.fields(with: credentials)
        return RequestHead(method: .connect, target: self.authority, host: self.authority, fields: fields).encoded()
    }

    func fields(with credentials: HTTPField?) -> HTTPFields {
        var fields = HTTPFields()
        if let agent = self.call.request.fields[.userAgent] { fields[.userAgent] = agent }
        if let credentials { fields[fields: .proxyAuthorization] = [credentials] }
        return fields
    }

    /// Returns the meaning of a response to CONNECT; `hasSpoken` tells whether bytes have arrived after the head.
    func judge(_ head: Response.Head?, hasSpoken: Bool) throws(ClientError) -> Answer {
        guard let head else { throw .connectionLost(.closed, self.call.context(.proxy)) }
        let response = head.makeHTTPResponse()
        switch head.statusCode {
        case 200..<300:
            guard !hasSpoken else { throw .proxyFailed(Self.spokeEarly, self.call.context(.proxy, response: response)) }
            return .open
        case 407:
            return .challenged(response)
        default:
            let reason = ProxyFailure.refused(status: head.statusCode)
            throw .proxyFailed(reason, self.call.context(.proxy, response: response))
        }
    }

    /// The failure when bytes arrive through the tunnel before the client has sent any; they come from the proxy, because in TLS
    /// and HTTP/1.1, the server never sends first.
    static let spokeEarly = ProxyFailure.violation(
        section: "RFC 9110 §9.3.6",
        reason: "The proxy sent bytes through the tunnel before the client sent a request."
    )

    /// Reads the rest of a response, and returns whether another request can follow; stops if it is too long or invalid.
    private static func drain(
        _ reader: inout ResponseReader,
        _ deadline: CallDeadline?
    ) async throws(ResponseFailure) -> Bool {
        var allowance = Self.maximumDrainByteCount
        do throws(ResponseFailure) {
            while allowance > 0 {
                guard case .body(let bytes) = try await reader.next(atLeast: 1, deadline: deadline) else {
                    return reader.isReusable
                }
                allowance -= bytes.readableBytes
            }
        } catch {
            switch error {
            case .connection(.cancelled), .connection(.timedOut): throw error
            default: break  // the challenge has arrived, so the rest does not matter
            }
        }
        return false
    }
}
