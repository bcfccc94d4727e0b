// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernAuthentication

/// A question to a delegate about identity: how the client proves who it is, or whether to trust a server or proxy.
public struct AuthenticationChallenge: Sendable {
    /// The kind of question, with its details.
    @nonexhaustive
    public enum Kind: Sendable {
        /// A server (401) or a proxy (407) asks for a credential, such as a name and a password (RFC 9110 §11).
        case http(HTTPChallenge)
        /// The client asks whether to trust a server or a proxy, with its certificates and the result of their evaluation.
        case serverTrust(ServerTrust)
        /// A server or a proxy asks for a client certificate, and the client has none for it; see `TLSConfiguration.identity`.
        case clientCertificate(ClientCertificateRequest)
    }

    /// The kind of question, with its details.
    public let kind: Kind
    /// The protection space that the answer is for.
    public let protectionSpace: ProtectionSpace
    /// The credential that default handling would use, if any: from the request, a URL, an earlier call or the credential store.
    ///
    /// The client does not propose a credential that the server or proxy has just refused.
    public let proposedCredential: Credential?
    /// The number of credentials refused for this protection space; starts again from 0, for example, after a redirect or retry.
    public let previousFailureCount: Int
    /// The response with status 401 or 407; `nil` in a TLS handshake.
    public let response: HTTPResponse?

    package init(
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
    /// Answer with this credential; if it does not fit the kind of challenge, the same as ``performDefaultHandling``.
    case useCredential(Credential)
    /// Proceed as if there were no delegate.
    ///
    /// The client uses the proposed credential. If there is none, it goes on to the next offered scheme; after the last scheme, the
    /// 401 or 407 is the response of the call, or a tunnel through the proxy fails with `ClientError.proxyFailed`.
    /// For server trust, the result of the evaluation decides. For a client certificate, the client presents none.
    case performDefaultHandling
    /// End the call with `ClientError.authenticationFailed(.cancelled)`, or for server trust and client certificates
    /// `.tlsFailed(.rejected)`.
    case cancel
    /// Go on to the next offered scheme; for server trust and client certificates, as ``performDefaultHandling``.
    case rejectProtectionSpace
}
