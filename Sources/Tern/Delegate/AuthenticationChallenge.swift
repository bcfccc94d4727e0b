// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernAuthentication

/// A question to a delegate about identity: the client's or the server's.
public struct AuthenticationChallenge: Sendable {
    /// The subject of a challenge, with its details.
    @nonexhaustive
    public enum Kind: Sendable {
        /// A server (401) or a proxy (407) asks for a name and a password, or for a token (RFC 9110 §11).
        case http(HTTPChallenge)
        /// The client asks whether to trust a server, with its certificates and the result of their evaluation.
        case serverTrust(ServerTrust)
        /// A server asks for a client certificate, for mutual TLS.
        ///
        /// The delegate is asked only while a connection is made, never on an open one.
        case clientCertificate(ClientCertificateRequest)
    }

    /// The subject of the challenge.
    public let kind: Kind
    /// The protection space that the answer is for: origin, realm and scheme.
    public let protectionSpace: ProtectionSpace
    /// The credential that default handling would use: from the request, the URL or the credential store.
    ///
    /// A refused credential is not proposed again.
    public let proposedCredential: Credential?
    /// The number of credentials that were refused in this call for this space.
    ///
    /// Starts at 0.
    public let previousFailureCount: Int
    /// The response with status 401 or 407; `nil` in a TLS handshake.
    public let response: HTTPResponse?

    /// Creates a challenge.
    ///
    /// Clients create challenges, and so do tests of delegates.
    ///
    /// - Parameters:
    ///   - kind: The subject of the challenge.
    ///   - protectionSpace: The protection space that the answer is for.
    ///   - proposedCredential: The credential that default handling would use. Defaults to `nil`.
    ///   - previousFailureCount: The number of credentials that were refused before. Defaults to 0.
    ///   - response: The response with the challenge. Defaults to `nil`.
    public init(
        kind: Kind,
        protectionSpace: ProtectionSpace,
        proposedCredential: Credential? = nil,
        previousFailureCount: Int = 0,
        response: HTTPResponse? = nil
    ) {
        self.kind = kind
        self.protectionSpace = protectionSpace
        self.proposedCredential = proposedCredential
        self.previousFailureCount = previousFailureCount
        self.response = response
    }
}

/// A delegate's answer to a challenge.
@nonexhaustive
public enum ChallengeDisposition: Sendable {
    /// Answer with this credential.
    ///
    /// A credential of the wrong kind counts as ``performDefaultHandling``.
    case useCredential(Credential)
    /// Proceed as without a delegate.
    ///
    /// The client uses the proposed credential, if any; otherwise the caller gets the 401 or 407. It trusts a server
    /// according to the evaluation, and shows no client certificate.
    case performDefaultHandling
    /// End the call with `ClientError.authenticationFailed(.cancelled)`, or with `ClientError.tlsFailed(.rejected)` in
    /// a TLS handshake.
    case cancel
    /// Skip this scheme and go on to the next one that the server offers.
    ///
    /// For trust and client certificates, the same as ``performDefaultHandling``.
    case rejectProtectionSpace
}
