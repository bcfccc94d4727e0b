// SPDX-License-Identifier: Apache-2.0
internal import TernFoundation
public import TernRequests

/// The authentication state for one protection space.
///
/// It creates the values of `Authorization`, and learns from the server's answers.
///
/// An authorizer is a value that uses no network, no clock and no random numbers. Requests to the same space should
/// share one authorizer, protected by a lock: with Digest, each ``fieldValue(method:target:bodyHash:cnonce:)``
/// increments the nonce count, and no count may be used twice.
///
/// ```swift
/// var authorizer = try Authorizer(challenge, credential, origin: destination.origin, target: destination.target)
/// fields[.authorization] = try authorizer.fieldValue(
///     method: "GET",
///     target: destination.target,
///     bodyHash: nil,
///     cnonce: cnonce
/// )
/// // …
/// if authorizer.challenged(by: newChallenges) == .again { sendAgain() }
/// ```
public struct Authorizer: Sendable {
    /// The meaning of a challenge after a request that already carried the credential.
    @nonexhaustive
    public enum Verdict: Hashable, Sendable {
        /// The server refused only the nonce, because it was too old. Repeat the request with the same credential.
        case again
        /// The server refused the credential.
        case refused
    }

    private enum Flow: Sendable {
        /// Basic or Bearer: the value never changes.
        case fixed(AuthenticationScheme, value: String)
        case digest(DigestFlow)
    }

    private var flow: Flow
    private let coverage: Coverage

    /// Creates an authorizer that answers a challenge.
    ///
    /// - Parameters:
    ///   - challenge: A challenge of Basic, Digest or Bearer.
    ///   - credential: A user name and a password for Basic and Digest, a token for Bearer.
    ///   - origin: The server or the proxy that sent the challenge.
    ///   - target: The target of the challenged request, in origin form (RFC 9112 §3.2.1). Ignored if `isProxy` is
    ///     `true`.
    ///   - isProxy: Whether the challenge came in `Proxy-Authenticate`. Defaults to `false`.
    /// - Throws: ``AuthorizationError`` if the credential cannot answer the challenge.
    public init(
        _ challenge: HTTPChallenge,
        _ credential: Credential,
        origin: Origin,
        target: String,
        isProxy: Bool = false
    ) throws(AuthorizationError) {
        switch (challenge.scheme, credential.content) {
        case (.basic, .password), (.bearer, .token):
            try self.init(preemptive: credential, origin: origin, target: target, isProxy: isProxy)
        case (.digest, .password(let user, let password)):
            let digest = try DigestChallenge(challenge)
            let flow = try DigestFlow(digest, user: user, password: password)
            self.init(.digest(flow), isProxy ? .proxy : .digest(origin, domain: digest.domain))
        case (.basic, _), (.digest, _), (.bearer, _): throw .wrongKindOfCredential
        default: throw .unsupportedScheme
        }
    }

    /// Creates an authorizer that sends a credential before the server asks for it.
    ///
    /// A user name and a password are sent with Basic, a token with Bearer. Digest always needs a challenge, because
    /// its value answers the server's nonce. Basic shows the password to the network, so use TLS.
    ///
    /// - Parameters:
    ///   - credential: A user name and a password, or a token.
    ///   - origin: The server or the proxy to authenticate to.
    ///   - target: A request target in origin form. Basic then covers the paths at or below the last `/` of this
    ///     target. Defaults to `/`, which covers all paths without dot segments. Ignored for a token or a proxy.
    ///   - isProxy: Whether the credential is for a proxy. Defaults to `false`.
    /// - Throws: ``AuthorizationError`` if the credential cannot be sent.
    public init(
        preemptive credential: Credential,
        origin: Origin,
        target: String = "/",
        isProxy: Bool = false
    ) throws(AuthorizationError) {
        switch credential.content {
        case .password(let user, let password):
            let value = try BasicFlow.fieldValue(user: user, password: password)
            self.init(.fixed(.basic, value: value), isProxy ? .proxy : .basic(origin, target: target))
        case .token(let token):
            let value = try BearerFlow.fieldValue(token: token)
            self.init(.fixed(.bearer, value: value), isProxy ? .proxy : .origin(origin))
        case .trust, .identity: throw .wrongKindOfCredential
        }
    }

    private init(_ flow: Flow, _ coverage: Coverage) {
        self.flow = flow
        self.coverage = coverage
    }

    /// The scheme: Basic, Digest or Bearer.
    public var scheme: AuthenticationScheme {
        switch self.flow {
        case .fixed(let scheme, _): scheme
        case .digest: .digest
        }
    }

    /// Returns whether a request may carry the credential before the server asks for it.
    ///
    /// Basic covers paths at or below the last `/` of the challenged path (RFC 7617 §2.2). Digest covers the URIs in
    /// its `domain`, or the whole origin (RFC 7616 §3.3). Bearer covers the whole origin. A credential for a proxy
    /// covers every request. Basic, and Digest with a `domain`, never cover a path with dot segments.
    ///
    /// - Parameters:
    ///   - origin: The origin of the request.
    ///   - target: The target of the request, in origin form.
    /// - Returns: `false` if the client should send the request without the credential. The server then sends a
    ///   challenge if it needs the credential.
    package func covers(_ origin: Origin, target: String) -> Bool { self.coverage.contains(origin, target: target) }

    /// A hasher for the body of the next request, and for the body of its response; `nil` unless Digest protects bodies
    /// with `auth-int`.
    public var bodyHasher: BodyHasher? {
        if case .digest(let flow) = self.flow { flow.bodyHasher } else { nil }
    }

    /// Returns the value of `Authorization` or `Proxy-Authorization` for one request.
    ///
    /// - Parameters:
    ///   - method: The method. Only Digest uses this parameter and the following ones.
    ///   - target: The target exactly as in the request line, byte for byte (RFC 7616 §3.4.6).
    ///   - bodyHash: The hash of the body from ``bodyHasher``, required even if the body is empty; `nil` if
    ///     ``bodyHasher`` is `nil`.
    ///   - cnonce: The client's nonce, unpredictable and new for each request, with at least 128 random bits in
    ///     hexadecimal or base64. With a `-sess` algorithm, the authorizer uses the first client nonce for the lifetime
    ///     of the server's nonce, and ignores later ones.
    /// - Returns: The value for one request. A value for Digest must not be sent twice.
    /// - Throws: ``AuthorizationError/invalidTarget``, ``AuthorizationError/invalidCnonce``,
    ///   ``AuthorizationError/missingBodyHash`` or ``AuthorizationError/nonceExhausted``, each only with Digest.
    public mutating func fieldValue(
        method: String,
        target: String,
        bodyHash: String?,
        cnonce: String
    ) throws(AuthorizationError) -> String {
        let bytes = try self.fieldBytes(method: method, target: target, bodyHash: bodyHash, cnonce: cnonce)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value for one request as bytes.
    ///
    /// The server gets its realm, its nonce and its opaque value back unchanged, even if they are not UTF-8.
    package mutating func fieldBytes(
        method: String,
        target: String,
        bodyHash: String?,
        cnonce: String
    ) throws(AuthorizationError) -> [UInt8] {
        switch self.flow {
        case .fixed(_, let value): return Array(value.utf8)
        case .digest(var flow):
            // The copy counts the use of the nonce. If `fieldValue` throws, the copy is discarded, so the count is
            // unchanged.
            let value = try flow.fieldValue(method: method, target: target, bodyHash: bodyHash, cnonce: cnonce)
            self.flow = .digest(flow)
            return value
        }
    }
}

// MARK: Answers of the server

extension Authorizer {
    /// Updates the state with the challenges of a 401 or 407 response to a request that carried this authorizer's
    /// value.
    ///
    /// Only Digest can continue, and only if a challenge with the same realm and algorithm has `stale=true` and a new
    /// nonce. A server might send such a challenge every time, so limit how often you repeat a request.
    ///
    /// - Parameter challenges: All challenges of the response.
    /// - Returns: ``Verdict/again`` if you may send a new value, ``Verdict/refused`` if the server refused the
    ///   credential.
    public mutating func challenged(by challenges: [HTTPChallenge]) -> Verdict {
        challenges.contains { self.challenged(by: $0) == .again } ? .again : .refused
    }

    /// Updates the state with one challenge of a 401 or 407 response to a request that carried this authorizer's value.
    ///
    /// - Parameter challenge: The challenge.
    /// - Returns: ``Verdict/again`` if you may send a new value, ``Verdict/refused`` if the server refused the
    ///   credential, or if the challenge has another scheme, realm or algorithm.
    public mutating func challenged(by challenge: HTTPChallenge) -> Verdict {
        guard case .digest(var flow) = self.flow, let digest = try? DigestChallenge(challenge) else { return .refused }
        let mayTryAgain = flow.challenged(by: digest)
        self.flow = .digest(flow)
        return mayTryAgain ? .again : .refused
    }

    /// Takes over the new nonce of a challenge with the same realm and algorithm, even if the challenge lacks
    /// `stale=true`.
    ///
    /// - Parameters:
    ///   - challenges: All challenges of the response.
    ///   - nonce: The ``nonce`` of the refused request.
    /// - Returns: Whether the next value has a different nonce from the refused one. Always `false` for Basic and
    ///   Bearer.
    package mutating func renew(from challenges: [HTTPChallenge], replacing nonce: [UInt8]) -> Bool {
        guard case .digest(var flow) = self.flow else { return false }
        let isRenewed = challenges.contains { challenge in
            (try? DigestChallenge(challenge)).map { flow.renew(from: $0, replacing: nonce) } ?? false
        }
        self.flow = .digest(flow)
        return isRenewed
    }

    /// The server's nonce that the authorizer currently uses; `nil` for Basic and Bearer.
    package var nonce: [UInt8]? {
        if case .digest(let flow) = self.flow { flow.nonce } else { nil }
    }

    /// Processes the `Authentication-Info` or `Proxy-Authentication-Info` of a response (RFC 7615, RFC 7616 §3.5).
    ///
    /// In `rspauth`, the server may prove that it knows the password; this method checks the proof. It then takes over
    /// the nonce in `nextnonce`, if the field has one. For Basic and Bearer, the method ignores the field. A proof that
    /// covers the body of the response is ignored if `responseBodyHash` is `nil`.
    ///
    /// - Parameters:
    ///   - authenticationInfo: The value of the field, or the values of all such fields, joined by commas.
    ///   - responseBodyHash: The hash of the body from ``bodyHasher``; `nil` if the body was not hashed.
    /// - Throws: ``AuthorizationError/wrongServerProof`` if the proof is wrong, or belongs to no known request. Do not
    ///   use the response then. ``AuthorizationError/malformedAuthenticationInfo(_:)`` if the field is malformed. After
    ///   an error, the authorizer keeps its nonce.
    public mutating func received(
        authenticationInfo: String,
        responseBodyHash: String?
    ) throws(AuthorizationError) {
        try self.received(authenticationInfo: Array(authenticationInfo.utf8), responseBodyHash: responseBodyHash)
    }

    /// Processes the value of `Authentication-Info` or `Proxy-Authentication-Info` as bytes.
    package mutating func received(
        authenticationInfo: [UInt8],
        responseBodyHash: String?
    ) throws(AuthorizationError) {
        guard case .digest(var flow) = self.flow else { return }
        var parser = ChallengeParser(authenticationInfo)
        let parameters: HTTPChallenge
        do throws(ChallengeViolation) {
            parameters = try parser.readParameters()
        } catch {
            throw .malformedAuthenticationInfo(error)
        }
        try flow.received(parameters, responseBodyHash: responseBodyHash)
        self.flow = .digest(flow)
    }
}

extension Authorizer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme, with everything else masked: `Digest ***`.
    public var description: String { "\(self.scheme) \(FieldText.mask)" }

    /// The same as ``description``.
    public var debugDescription: String { self.description }

    /// Shows only the scheme to `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["scheme": self.scheme.description], displayStyle: .struct)
    }
}

/// Basic (RFC 7617), whose value is the same for every request.
enum BasicFlow {
    /// Returns the value of `Authorization`.
    ///
    /// User name and password are sent as UTF-8, even if the server does not say `charset="UTF-8"` (§2.1). Without this
    /// parameter, RFC 7617 leaves the charset undefined (§2). Chrome and Firefox also send UTF-8; curl sends the bytes
    /// of its command line.
    static func fieldValue(user: String, password: String) throws(AuthorizationError) -> String {
        // §2: "The user-id and password MUST NOT contain any control characters".
        // §2: "a user-id containing a colon character is invalid, as the first colon in a user-pass string separates
        // user-id and password from one another".
        guard FieldText.isPrintable(user), !user.utf8.contains(UInt8(ascii: ":")) else { throw .invalidUser }
        guard FieldText.isPrintable(password) else { throw .invalidPassword }
        return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
}

/// Bearer (RFC 6750), whose value is the same for every request until the token changes.
enum BearerFlow {
    /// Returns the value of `Authorization` (RFC 6750 §2.1).
    static func fieldValue(token: String) throws(AuthorizationError) -> String {
        // RFC 6750 §2.1: b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"=", which is token68.
        guard FieldText.isToken68(token) else { throw .invalidToken }
        return "Bearer \(token)"
    }
}
