// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication

/// Makes decisions during a TLS handshake, and about a server before a call uses an existing connection.
///
/// The handshake or the call waits for each decision. When it no longer waits, for example because its deadline has passed, the
/// client ignores the decision, and usually cancels the task that runs the method.
public protocol TLSDecider: AnyObject, Sendable {
    /// Decides whether to continue with a server that presented these certificates.
    ///
    /// - Parameters:
    ///   - trust: The server's certificates and their evaluation.
    ///   - port: The server's port.
    ///   - isEstablished: Whether the connection exists and is approved for all calls, so that only this call's own delegate
    ///     is asked, and may reject the connection for this call.
    /// - Returns: The decision.
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision
    /// Chooses the client's certificate when a server asks for one, and the configuration has none.
    func identity(for request: ClientCertificateRequest) async -> IdentityDecision
}

/// A decision about a server.
@nonexhaustive
public enum TrustDecision: Hashable, Sendable {
    /// Continue if the certificates are trusted; otherwise reject the server.
    case byDefault
    /// Continue, even with untrusted certificates; `isForOneCall` keeps other calls off a new connection that needs this.
    case accept(isForOneCall: Bool)
    /// End the handshake or, with an existing connection, the call.
    case reject
}

/// A decision about the client's certificate.
@nonexhaustive
public enum IdentityDecision: Hashable, Sendable {
    /// Present no certificate; the server decides whether to continue.
    case none
    /// Present this certificate; with `isForOneCall`, no other call may use the connection.
    case show(ClientIdentity, isForOneCall: Bool)
    /// End the handshake.
    case reject
}
