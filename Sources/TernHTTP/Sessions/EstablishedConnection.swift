// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernTransport

/// A connection that is ready for HTTP, with its negotiated TLS parameters.
struct EstablishedConnection: Sendable {
    var connection: any Connection
    var tls: TLSFacts?
    var proxyTLS: TLSFacts?
    /// The round trip to the server, estimated from the duration of connecting or of the TLS handshake.
    private(set) var roundTrip: Duration?
    /// Whether the credentials that opened the tunnel belong to one call only.
    var isTunnelForOneCall = false

    init(_ connection: any Connection) { self.connection = connection }

    /// The duration from which a TLS handshake shows the delay of the network; shorter ones spend most of their time on computing.
    private static let shortestTellingHandshake = Duration.milliseconds(20)

    mutating func noteConnecting(_ duration: Duration) { self.roundTrip = duration }

    /// Records the duration of a TLS handshake, which is two round trips with TLS 1.2, otherwise one; unlike connecting, it always
    /// reaches the server, and not only a proxy.
    mutating func noteHandshake(_ duration: Duration, _ facts: TLSFacts) {
        let roundTrip = facts.version == .tls12 ? duration / 2 : duration
        let isTelling = duration >= Self.shortestTellingHandshake
        self.roundTrip = isTelling ? roundTrip : min(self.roundTrip ?? roundTrip, roundTrip)
    }

    /// Returns whether the peer, which is the proxy if it forwards the requests, has chosen HTTP/2, or is known to use it.
    func usesHTTP2(for target: ConnectionTarget) -> Bool {
        if case .forward = target.route { return self.proxyTLS?.applicationProtocol == "h2" }
        guard let tls = self.tls else { return target.versions == .http2PriorKnowledge }
        return tls.applicationProtocol == "h2"
    }

    var isForOneCall: Bool {
        self.isTunnelForOneCall || self.tls?.isForOneCall ?? false || self.proxyTLS?.isForOneCall ?? false
    }
}
