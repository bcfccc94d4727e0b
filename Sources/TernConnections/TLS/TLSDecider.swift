// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication

/// Makes decisions during a TLS handshake.
///
/// The handshake waits for each decision. The connection's deadline still applies while the handshake waits. When the
/// deadline passes or the call is cancelled, the client cancels the task that runs the decider's method, and ignores
/// its result.
public protocol TLSDecider: AnyObject, Sendable {
    /// Decides whether to continue with a server that presented these certificates.
    ///
    /// - Parameters:
    ///   - trust: The server's certificates and their evaluation.
    ///   - port: The server's port.
    ///   - isEstablished: Whether the handshake is over, and the connection is approved for all calls of the client. If
    ///     so, the decider asks only this call's own delegate, and accepts the server unless the delegate rejects it.
    /// - Returns: The decision.
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision
    /// Chooses the client's certificate when a server asks for one, and the configuration has none.
    func identity(for request: ClientCertificateRequest) async -> IdentityDecision
}

/// A decision about a server.
@nonexhaustive
public enum TrustDecision: Hashable, Sendable {
    /// Continue if the evaluation trusts the certificates; otherwise end the handshake.
    case byDefault
    /// Continue, even if the evaluation does not trust the certificates. If `isForOneCall` is true, no other call may
    /// use the connection.
    case accept(isForOneCall: Bool)
    /// End the handshake.
    case reject
}

/// A decision about the client's certificate.
@nonexhaustive
public enum IdentityDecision: Hashable, Sendable {
    /// Present no certificate; the server decides whether to continue.
    case none
    /// Present this certificate. If `isForOneCall` is true, no other call may use the connection.
    case show(ClientIdentity, isForOneCall: Bool)
    /// End the handshake.
    case reject
}
