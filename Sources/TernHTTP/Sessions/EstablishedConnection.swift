// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernTransport

/// A connection that is ready for HTTP, with its negotiated TLS parameters.
struct EstablishedConnection: Sendable {
    var connection: any Connection
    /// The TLS parameters of the connection to the server; `nil` without TLS.
    var tls: TLSFacts?
    /// The TLS parameters of the connection to the proxy; `nil` if the proxy does not use TLS.
    var proxyTLS: TLSFacts?
    /// The estimated time of a round trip to the server, from the duration of connecting or of the TLS handshake; `nil`
    /// if unknown.
    private(set) var roundTrip: Duration?
    /// Whether the credentials that opened the tunnel belong to one call only.
    var isTunnelForOneCall = false

    init(_ connection: any Connection) { self.connection = connection }

    /// The duration from which a TLS handshake shows the delay of the network.
    ///
    /// Shorter handshakes spend most of their time on computing.
    private static let shortestTellingHandshake = Duration.milliseconds(20)

    /// Records the duration of connecting, which consists of a round trip and the look-up of the name.
    mutating func noteConnecting(_ duration: Duration) { self.roundTrip = duration }

    /// Records the duration of a TLS handshake with the server, which consists of two round trips with TLS 1.2,
    /// otherwise one.
    ///
    /// A proxy, or another device that accepts connections for the server, may be closer than the server. So connecting
    /// may take less than a round trip to the server, but the handshake does not.
    mutating func noteHandshake(_ duration: Duration, _ facts: TLSFacts) {
        let roundTrip = facts.version == .tls12 ? duration / 2 : duration
        let isTelling = duration >= Self.shortestTellingHandshake
        self.roundTrip = isTelling ? roundTrip : min(self.roundTrip ?? roundTrip, roundTrip)
    }

    /// Returns whether the peer has chosen HTTP/2, or the client knows that the peer uses it.
    ///
    /// If a proxy forwards the requests for the target, the peer is the proxy.
    func usesHTTP2(for target: ConnectionTarget) -> Bool {
        if case .forward = target.route { return self.proxyTLS?.applicationProtocol == "h2" }
        guard let tls = self.tls else { return target.versions == .http2PriorKnowledge }
        return tls.applicationProtocol == "h2"
    }

    /// Whether no other call may use the connection.
    var isForOneCall: Bool {
        self.isTunnelForOneCall || self.tls?.isForOneCall ?? false || self.proxyTLS?.isForOneCall ?? false
    }
}
