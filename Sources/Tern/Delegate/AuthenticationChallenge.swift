// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernAuthentication

/// A question to a delegate about identity: how the client proves who it is, or whether to trust a server.
public struct AuthenticationChallenge: Sendable {
    /// The kind of question, with its details.
    @nonexhaustive
    public enum Kind: Sendable {
        /// A server (401) or a proxy (407) asks for a name and a password, or for a token (RFC 9110 §11).
        case http(HTTPChallenge)
        /// The client asks whether to trust a server. The value has the server's certificates and the result of their
        /// evaluation.
        case serverTrust(ServerTrust)
        /// A server asks for a client certificate, for mutual TLS.
        ///
        /// The client asks the delegate only while it makes a connection, never on an open connection. If
        /// `TLSConfiguration.identity` is set, the client presents that certificate without asking.
        case clientCertificate(ClientCertificateRequest)
    }

    /// The kind of question, with its details.
    public let kind: Kind
    /// The protection space that the answer is for: origin, realm and scheme.
    public let protectionSpace: ProtectionSpace
    /// The credential that default handling would use: from the request, the URL, an earlier call or the credential
    /// store.
    ///
    /// After the server or proxy has refused a credential, the client does not propose it again.
    public let proposedCredential: Credential?
    /// The number of credentials that the server or proxy has refused in this call for this protection space.
    ///
    /// Starts at 0.
    public let previousFailureCount: Int
    /// The response with status 401 or 407; `nil` in a TLS handshake.
    public let response: HTTPResponse?

    /// Creates a challenge.
    ///
    /// The client creates challenges. Create one yourself to test a delegate.
    ///
    /// - Parameters:
    ///   - kind: The kind of question, with its details.
    ///   - protectionSpace: The protection space that the answer is for.
    ///   - proposedCredential: The credential that default handling would use. Defaults to `nil`.
    ///   - previousFailureCount: The number of credentials that the server or proxy has refused before. Defaults to 0.
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
    /// If the credential does not fit the kind of challenge, the client acts as for ``performDefaultHandling``.
    case useCredential(Credential)
    /// Proceed as if there were no delegate.
    ///
    /// The client uses the proposed credential. If there is none, the client goes on to the next scheme that the server
    /// offers, and after the last scheme, the caller gets the 401 or 407. For server trust, the result of the
    /// evaluation decides. For a client certificate, the client presents none.
    case performDefaultHandling
    /// End the call with `ClientError.authenticationFailed(.cancelled)`.
    ///
    /// For server trust and client certificates, the error is `ClientError.tlsFailed(.rejected)`.
    case cancel
    /// Do not answer with this scheme, and go on to the next scheme that the server offers.
    ///
    /// For server trust and client certificates, the client acts as for ``performDefaultHandling``.
    case rejectProtectionSpace
}
