// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication

/// Is asked during a TLS handshake, which waits for the answer.
///
/// The connection's deadline goes on meanwhile; when it passes, or the call is cancelled, the task that asks is
/// cancelled, and its answer counts no more.
public protocol TLSDecider: AnyObject, Sendable {
    /// Whether to go on with a server that presented these certificates.
    ///
    /// - Parameters:
    ///   - trust: what the server presented, and what the evaluation says.
    ///   - port: the server's port.
    ///   - isEstablished: whether the connection is open, and approved of for all calls of the client; only a delegate of
    ///     the call's own can still object. Where it has no opinion, this accepts.
    /// - Returns: the decision.
    func decide(on trust: ServerTrust, port: Int, isEstablished: Bool) async -> TrustDecision
    /// Which certificate to show to a server that asks for one, where the configuration has none.
    func identity(for request: ClientCertificateRequest) async -> IdentityDecision
}

/// Whether to go on with a server.
@nonexhaustive
public enum TrustDecision: Hashable, Sendable {
    /// As the evaluation of its certificates says.
    case byDefault
    /// Go on, whatever the evaluation says; if `isForOneCall`, no other call may use the connection.
    case accept(isForOneCall: Bool)
    /// Do not go on.
    case reject
}

/// Which certificate to show.
@nonexhaustive
public enum IdentityDecision: Hashable, Sendable {
    /// None: the server may go on without, or not.
    case none
    /// This one; if `isForOneCall`, no other call may use the connection.
    case show(ClientIdentity, isForOneCall: Bool)
    /// Do not go on.
    case reject
}
