// SPDX-License-Identifier: Apache-2.0
public import TernRequests

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What is known about one protection space: it makes the values of `Authorization` and learns from what the server
/// says.
///
/// A value without a network, a clock or random numbers. Several requests to the same space should share one, under a
/// lock: each ``fieldValue(method:target:bodyHash:cnonce:)`` of Digest counts the nonce on, and a count must not come
/// twice.
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
    /// What a further challenge means.
    @nonexhaustive
    public enum Verdict: Hashable, Sendable {
        /// Just the nonce was too old: the same credential may be tried again, without asking anybody.
        case again
        /// The credential was refused.
        case refused
    }

    private enum Flow: Sendable {
        /// Basic or Bearer: the value never changes.
        case fixed(AuthenticationScheme, value: String)
        case digest(DigestFlow)
    }

    private var flow: Flow
    private let coverage: Coverage

    /// Begins with a challenge.
    ///
    /// - Parameters:
    ///   - challenge: a challenge of Basic, Digest or Bearer.
    ///   - credential: a name and a password for Basic and Digest, a token for Bearer.
    ///   - origin: the server that was asked; for a proxy, the proxy.
    ///   - target: the target of the request that was challenged, in origin form (RFC 9112 §3.2.1); not used for a
    ///     proxy.
    ///   - isProxy: whether the challenge came in `Proxy-Authenticate`; `false` by default.
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

    /// Begins without a challenge: with Basic for a name and a password, with Bearer for a token.
    ///
    /// Digest cannot, because it answers a nonce. Basic shows the password to the network, so this wants TLS.
    ///
    /// - Parameters:
    ///   - credential: a name and a password, or a token.
    ///   - origin: the server that it is for; for a proxy, the proxy.
    ///   - target: below which path Basic covers requests, as if its request had been challenged; `/` by default, which
    ///     covers all.
    ///   - isProxy: whether it is for a proxy; `false` by default.
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

    /// Basic, Digest or Bearer.
    public var scheme: AuthenticationScheme {
        switch self.flow {
        case .fixed(let scheme, _): scheme
        case .digest: .digest
        }
    }

    /// Whether a request may carry the credential without being asked for it.
    ///
    /// Basic covers what is at or below the last `/` of the path that was challenged (RFC 7617 §2.2); Digest what its
    /// `domain` lists, or the whole origin (RFC 7616 §3.3); Bearer the whole origin. For a proxy everything is covered.
    /// A path with dot segments is covered only where the whole origin is.
    ///
    /// - Parameters:
    ///   - origin: where the request goes.
    ///   - target: its target, in origin form.
    /// - Returns: `false` if it should go without; the server will ask if it needs to.
    package func covers(_ origin: Origin, target: String) -> Bool { self.coverage.contains(origin, target: target) }

    /// What to hash the body of the next request with, and that of its response; `nil` unless Digest protects bodies.
    public var bodyHasher: BodyHasher? {
        if case .digest(let flow) = self.flow { flow.bodyHasher } else { nil }
    }

    /// The value of `Authorization` or `Proxy-Authorization` for one request.
    ///
    /// - Parameters:
    ///   - method: the method; only Digest looks at it and at what follows.
    ///   - target: the target as it stands in the request line, byte for byte (RFC 7616 §3.4.6).
    ///   - bodyHash: what ``bodyHasher`` made of the body, of an empty one, too; `nil` if there is no hasher.
    ///   - cnonce: a nonce of the client's, unpredictable and new for each request; at least 128 random bits in
    ///     hexadecimal or base64. A `-sess` algorithm uses the first one for as long as the server's nonce lasts.
    /// - Returns: a value for one request; for Digest it must not be sent twice.
    /// - Throws: ``AuthorizationError/invalidTarget``, ``AuthorizationError/invalidCnonce``,
    ///   ``AuthorizationError/missingBodyHash`` or ``AuthorizationError/nonceExhausted``, for Digest; nothing else.
    public mutating func fieldValue(
        method: String,
        target: String,
        bodyHash: String?,
        cnonce: String
    ) throws(AuthorizationError) -> String {
        let bytes = try self.fieldBytes(method: method, target: target, bodyHash: bodyHash, cnonce: cnonce)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same as bytes: what a server sent in another charset goes back as it came.
    package mutating func fieldBytes(
        method: String,
        target: String,
        bodyHash: String?,
        cnonce: String
    ) throws(AuthorizationError) -> [UInt8] {
        switch self.flow {
        case .fixed(_, let value): return Array(value.utf8)
        case .digest(var flow):
            // On failure nothing was counted; on success the count must be kept.
            let value = try flow.fieldValue(method: method, target: target, bodyHash: bodyHash, cnonce: cnonce)
            self.flow = .digest(flow)
            return value
        }
    }
}

// MARK: Learning

extension Authorizer {
    /// Takes the challenges of a 401 or 407 to a request that carried this authorizer's value.
    ///
    /// Only Digest can go on, if a challenge with the same realm and algorithm says `stale` and has another nonce. A
    /// server that says so every time must be given up by the code that counts the attempts of a request.
    ///
    /// - Parameter challenges: all challenges of the response.
    /// - Returns: ``Verdict/again`` if a new value may be sent, ``Verdict/refused`` if the credential is wrong.
    public mutating func challenged(by challenges: [HTTPChallenge]) -> Verdict {
        challenges.contains { self.challenged(by: $0) == .again } ? .again : .refused
    }

    /// Takes one challenge of a 401 or 407 to a request that carried this authorizer's value.
    ///
    /// - Parameter challenge: the challenge.
    /// - Returns: as for several of them; ``Verdict/refused`` for one of another scheme, realm or algorithm.
    public mutating func challenged(by challenge: HTTPChallenge) -> Verdict {
        guard case .digest(var flow) = self.flow, let digest = try? DigestChallenge(challenge) else { return .refused }
        let mayTryAgain = flow.challenged(by: digest)
        self.flow = .digest(flow)
        return mayTryAgain ? .again : .refused
    }

    /// Takes a new nonce that comes without `stale`, if a challenge of the same realm and algorithm has one.
    ///
    /// - Parameters:
    ///   - challenges: all challenges of the response.
    ///   - nonce: the ``nonce`` that the refused request used.
    /// - Returns: whether the next value has another nonce than the refused one; `false` for Basic and Bearer.
    package mutating func renew(from challenges: [HTTPChallenge], replacing nonce: [UInt8]) -> Bool {
        guard case .digest(var flow) = self.flow else { return false }
        let isRenewed = challenges.contains { challenge in
            (try? DigestChallenge(challenge)).map { flow.renew(from: $0, replacing: nonce) } ?? false
        }
        self.flow = .digest(flow)
        return isRenewed
    }

    /// The server's nonce in the last value; `nil` for Basic and Bearer.
    package var nonce: [UInt8]? {
        if case .digest(let flow) = self.flow { flow.nonce } else { nil }
    }

    /// Takes `Authentication-Info` or `Proxy-Authentication-Info` of a response (RFC 7615, RFC 7616 §3.5).
    ///
    /// Checks that the server knows the password, if it says so with `rspauth`, and takes its next nonce. For Basic and
    /// Bearer the field means nothing. A proof that covers the body of the response is passed over without its hash.
    ///
    /// - Parameters:
    ///   - authenticationInfo: the value of the field, or its values joined by commas.
    ///   - responseBodyHash: what ``bodyHasher`` made of the body; `nil` if it was not hashed.
    /// - Throws: ``AuthorizationError/wrongServerProof`` if the proof is wrong or is for no request that was made:
    ///   then the response must not be used; ``AuthorizationError/malformedAuthenticationInfo(_:)`` if the field
    ///   cannot be read; nothing else. The next nonce is not taken then.
    public mutating func received(
        authenticationInfo: String,
        responseBodyHash: String?
    ) throws(AuthorizationError) {
        try self.received(authenticationInfo: Array(authenticationInfo.utf8), responseBodyHash: responseBodyHash)
    }

    /// Takes the bytes of such a field.
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
    /// The scheme, with all else masked: `Digest ***`.
    public var description: String { "\(self.scheme) \(FieldText.mask)" }

    /// The same.
    public var debugDescription: String { self.description }

    /// Shows the scheme to `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["scheme": self.scheme.description], displayStyle: .struct)
    }
}

/// Basic (RFC 7617): the same value for every request.
enum BasicFlow {
    /// The value of `Authorization`.
    ///
    /// Name and password are sent as UTF-8, whether or not the server says `charset="UTF-8"` (§2.1). Without it the
    /// charset is undefined (§2); Chrome and Firefox take UTF-8 as well, curl the bytes of its command line.
    static func fieldValue(user: String, password: String) throws(AuthorizationError) -> String {
        // §2: "The user-id and password MUST NOT contain any control characters".
        // §2: "a user-id containing a colon character is invalid, as the first colon in a user-pass string separates
        // user-id and password from one another".
        guard FieldText.isPrintable(user), !user.utf8.contains(UInt8(ascii: ":")) else { throw .invalidUser }
        guard FieldText.isPrintable(password) else { throw .invalidPassword }
        return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }
}

/// Bearer (RFC 6750): the same value for every request, until there is another token.
enum BearerFlow {
    /// The value of `Authorization` (§2.1).
    static func fieldValue(token: String) throws(AuthorizationError) -> String {
        // §2.1: b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"=", which is token68.
        guard FieldText.isToken68(token) else { throw .invalidToken }
        return "Bearer \(token)"
    }
}
