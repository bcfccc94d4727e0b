// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernAuthentication

/// What a delegate is asked about identity: the client's, or the server's.
public struct AuthenticationChallenge: Sendable {
    /// What is wanted, with what belongs to it.
    @nonexhaustive
    public enum Kind: Sendable {
        /// A name and a password, or a token, for a server (401) or a proxy (407); see RFC 9110 §11.
        case http(HTTPChallenge)
        /// Whether to trust the server; its certificates, and what the evaluation says of them.
        case serverTrust(ServerTrust)
        /// A certificate of the client, for mutual TLS; asked for while a connection is made, not on one that is open.
        case clientCertificate(ClientCertificateRequest)
    }

    /// What is wanted.
    public let kind: Kind
    /// The protection space that the answer is for: origin, realm and scheme.
    public let protectionSpace: ProtectionSpace
    /// What default handling would use: what the request, the URL or the credential store has, unless it was refused.
    public let proposedCredential: Credential?
    /// How often a credential was refused in this call for this space; 0 the first time.
    public let previousFailureCount: Int
    /// The 401 or 407; `nil` in a TLS handshake.
    public let response: HTTPResponse?

    /// Creates a challenge; clients do, and tests of delegates.
    ///
    /// - Parameters:
    ///   - kind: what is wanted.
    ///   - protectionSpace: The protection space that the answer is for.
    ///   - proposedCredential: what default handling would use; nothing by default.
    ///   - previousFailureCount: how often a credential was refused before; 0 by default.
    ///   - response: the response that challenges; none by default.
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

/// What a delegate does about a challenge.
@nonexhaustive
public enum ChallengeDisposition: Sendable {
    /// Answer with this credential. One of the wrong kind counts as ``performDefaultHandling``.
    case useCredential(Credential)
    /// As without a delegate: the proposed credential if there is one, otherwise the 401 or 407 is the response; a
    /// server is trusted as its evaluation says, and no certificate is shown.
    case performDefaultHandling
    /// End the call: with `ClientError.authenticationFailed(.cancelled)`, or, of trust, `ClientError.tlsFailed(.rejected)`.
    case cancel
    /// Not this scheme: go on to the next that the server offers; of trust and certificates, as
    /// ``performDefaultHandling``.
    case rejectProtectionSpace
}
