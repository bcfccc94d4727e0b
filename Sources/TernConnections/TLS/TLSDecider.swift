// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication

/// Makes decisions during a TLS handshake, which waits for them.
///
/// The connection's deadline still applies while the handshake waits. When the deadline passes, or the call is
/// cancelled, the task that asks is cancelled, and its answer is ignored.
public protocol TLSDecider: AnyObject, Sendable {
    /// Decides whether to continue with a server that presented these certificates.
    ///
    /// - Parameters:
    ///   - trust: The server's certificates and their evaluation.
    ///   - port: The server's port.
    ///   - isEstablished: Whether the connection is open and approved for all calls of the client. Then only the call's
    ///     own delegate can still object; without an objection, accept.
    /// - Returns: The decision.
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision
    /// Chooses the certificate for a server that asks for one, if the configuration has none.
    func identity(for request: ClientCertificateRequest) async -> IdentityDecision
}

/// A decision about a server.
@nonexhaustive
public enum TrustDecision: Hashable, Sendable {
    /// Follow the evaluation of the certificates.
    case byDefault
    /// Continue, whatever the evaluation says. If `isForOneCall` is true, no other call may use the connection.
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
