// SPDX-License-Identifier: Apache-2.0
internal import TernFoundation
public import TernRequests

/// The authentication state for one protection space: it creates values for `Authorization` and the like, and learns from answers.
///
/// An authorizer is a value without network, clock and random numbers. Requests to the same space should share one, protected by a
/// lock: with Digest, each value of ``fieldValue(method:target:bodyHash:cnonce:)`` counts one more use of the server's nonce, and
/// must not be sent twice.
///
/// ```swift
/// var authorizer = try Authorizer(
///     challenge,
///     credential,
///     origin: destination.origin,
///     target: destination.target
/// )
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
        /// The server refused only the nonce: repeat the request with the same credential.
        case again
        /// All other cases; the server probably refused the credential.
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
    ///   - target: The target of the challenged request, in origin form (RFC 9112 §3.2.1). Only Basic for a server uses it.
    ///   - isProxy: Whether the challenge came in `Proxy-Authenticate`.
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

    /// Creates an authorizer for a credential to send before the server asks for it.
    ///
    /// It uses Basic for a user name and a password, and Bearer for a token. Use TLS: without it, anyone on the way
    /// can read them. Digest needs a challenge, because its value answers the server's nonce.
    ///
    /// - Parameters:
    ///   - credential: A user name and a password, or a token.
    ///   - origin: The server or the proxy to authenticate to.
    ///   - target: A target in origin form. Only Basic for a server uses it.
    ///   - isProxy: Whether the credential is for a proxy.
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

    /// Returns whether a request may carry the credential before the server asks for it (RFC 7617 §2.2, RFC 7616 §3.3).
    package func covers(_ origin: Origin, target: String) -> Bool { self.coverage.contains(origin, target: target) }

    /// A hasher for the bodies of the next request and its response; `nil` unless Digest protects bodies with `auth-int`.
    public var bodyHasher: BodyHasher? {
        if case .digest(let flow) = self.flow { flow.bodyHasher } else { nil }
    }

    /// Returns the value of `Authorization` or `Proxy-Authorization` for one request; only Digest uses the parameters.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The target exactly as in the request line, byte for byte (RFC 7616 §3.4.6).
    ///   - bodyHash: The hash of the body from ``bodyHasher``, even of an empty one; `nil` if ``bodyHasher`` is `nil`.
    ///   - cnonce: The client's nonce, unpredictable and new for each request, with at least 128 random bits in hexadecimal or
    ///     base64. With a `-sess` algorithm, all values for one nonce of the server contain the first `cnonce`.
    /// - Returns: The value. With Digest, it must not be sent twice.
    /// - Throws: ``AuthorizationError/invalidTarget``, ``AuthorizationError/invalidCnonce``, ``AuthorizationError/missingBodyHash``
    ///   or ``AuthorizationError/nonceExhausted``, each only with Digest.
    public mutating func fieldValue(
        method: String,
        target: String,
        bodyHash: String?,
        cnonce: String
    ) throws(AuthorizationError) -> String {
        let bytes = try self.fieldBytes(method: method, target: target, bodyHash: bodyHash, cnonce: cnonce)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value as bytes, in which the server gets back its texts unchanged, even if they are not UTF-8.
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
    /// Updates the state with the challenges of a 401 or 407 response to a request that carried this authorizer's value.
    ///
    /// - Parameter challenges: All challenges of the response.
    /// - Returns: ``Verdict/again`` if you may send a new value, which needs Digest, and a challenge with the same realm and
    ///   algorithm, `stale=true` and a nonce that the authorizer does not have. A server might send such a challenge every time, so
    ///   limit how often you repeat a request.
    public mutating func challenged(by challenges: [HTTPChallenge]) -> Verdict {
        challenges.contains { self.challenged(by: $0) == .again } ? .again : .refused
    }

    /// Updates the state with one challenge, as the method for all challenges of a response does.
    public mutating func challenged(by challenge: HTTPChallenge) -> Verdict {
        guard case .digest(var flow) = self.flow, let digest = try? DigestChallenge(challenge) else { return .refused }
        let mayTryAgain = flow.challenged(by: digest)
        self.flow = .digest(flow)
        return mayTryAgain ? .again : .refused
    }

    /// Takes over the nonce of a challenge with the same realm and algorithm; returns whether it differs from the refused nonce.
    package mutating func renew(from challenges: [HTTPChallenge], replacing nonce: [UInt8]) -> Bool {
        guard case .digest(var flow) = self.flow else { return false }
        let isRenewed = challenges.contains { challenge in
            (try? DigestChallenge(challenge)).map { flow.renew(from: $0, replacing: nonce) } ?? false
        }
        self.flow = .digest(flow)
        return isRenewed
    }

    package var nonce: [UInt8]? {
        if case .digest(let flow) = self.flow { flow.nonce } else { nil }
    }

    /// Processes the `Authentication-Info` or `Proxy-Authentication-Info` of a response (RFC 7615, RFC 7616 §3.5).
    ///
    /// With Digest, the method takes over the next nonce, if present. If the challenge offers a `qop`, the method first checks
    /// the server's proof that it knows the password, if present.
    ///
    /// - Parameters:
    ///   - authenticationInfo: The value of the field, or the values of all such fields, joined by commas.
    ///   - responseBodyHash: The hash of the body from ``bodyHasher``; with `nil`, a proof that covers the body counts as valid.
    /// - Throws: With Digest, ``AuthorizationError/wrongServerProof`` if a checked proof is wrong or belongs to no known request,
    ///   and ``AuthorizationError/malformedAuthenticationInfo(_:)`` if the field cannot be parsed. Do not use the response then.
    public mutating func received(
        authenticationInfo: String,
        responseBodyHash: String?
    ) throws(AuthorizationError) {
        try self.received(authenticationInfo: Array(authenticationInfo.utf8), responseBodyHash: responseBodyHash)
    }

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

enum BasicFlow {
    /// Returns the value of `Authorization`, as UTF-8 even if the server does not say `charset="UTF-8"` (RFC 7617 §2, §2.1).
    static func fieldValue(user: String, password: String) throws(AuthorizationError) -> String {
        // §2: "The user-id and password MUST NOT contain any control characters".
        // §2: "a user-id containing a colon character is invalid, as the first colon in a user-pass string separates
        // user-id and password from one another".
        guard FieldText.isPrintable(user), !user.utf8.contains(UInt8(ascii: ":")) else { throw .invalidUser }
        guard FieldText.isPrintable(password) else { throw .invalidPassword }
        return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
}

enum BearerFlow {
    static func fieldValue(token: String) throws(AuthorizationError) -> String {
        // RFC 6750 §2.1: b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"=", which is token68.
        guard FieldText.isToken68(token) else { throw .invalidToken }
        return "Bearer \(token)"
    }
}
