// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// The Digest state for one server and one password, across challenges (RFC 7616); it keeps only a hash of the password.
struct DigestFlow: Sendable {
    /// One use of a nonce, with the values for checking the server's proof.
    struct Use: Hashable, Sendable {
        var nonce: [UInt8]
        var nonceCount: String
        var cnonce: String
        var target: String
        /// `H(A1)`.
        var key: String
        var protection: DigestChallenge.Protection?
    }

    /// Twice the default maximum number of connections to a host.
    static let maximumUseCount = 128

    private(set) var challenge: DigestChallenge
    private(set) var nonce: [UInt8]
    private let user: String
    /// `H(user ":" realm ":" password)`.
    private let passwordHash: String
    /// The `H(A1)` of a `-sess` algorithm, fixed by the first request after a challenge.
    private var sessionKey: String?
    private var sessionCnonce: String?
    private var nonceCount: UInt32 = 0
    /// The latest uses that no `Authentication-Info` has answered yet, oldest first.
    private var uses: [Use] = []

    init(_ challenge: DigestChallenge, user: String, password: String) throws(AuthorizationError) {
        guard FieldText.isPrintable(user) else { throw .invalidUser }
        self.challenge = challenge
        self.nonce = challenge.nonce
        self.user = user
        self.passwordHash = challenge.algorithm.hash.hex(Array(user.utf8), challenge.realm, Array(password.utf8))
    }

    private var hash: DigestAlgorithm.Hash { self.challenge.algorithm.hash }

    var bodyHasher: BodyHasher? { self.challenge.protection == .authInt ? BodyHasher(self.hash) : nil }

    // MARK: Answering

    mutating func fieldValue(
        method: String,
        target: String,
        bodyHash: String?,
        cnonce: String
    ) throws(AuthorizationError) -> [UInt8] {
        guard !target.isEmpty, target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .invalidTarget }
        guard !cnonce.isEmpty, FieldText.isPrintable(cnonce) else { throw .invalidCnonce }
        let isProtectingBody = self.challenge.protection == .authInt
        guard bodyHash != nil || !isProtectingBody else { throw .missingBodyHash }
        let use = try self.newUse(target: target, cnonce: cnonce)
        // RFC 7616 §3.4.3: A2 is Method ":" request-uri, and with auth-int ":" H(entity-body).
        let bodyPart = isProtectingBody ? ":\(bodyHash ?? "")" : ""
        let response = self.response(to: use, a2: "\(method):\(target)\(bodyPart)", self.challenge.protection)
        return self.fieldValue(use, response)
    }

    private mutating func newUse(target: String, cnonce: String) throws(AuthorizationError) -> Use {
        guard self.nonceCount < .max else { throw .nonceExhausted }
        self.nonceCount += 1
        let cnonce = self.cnonceToSend(cnonce)
        let use = Use(
            nonce: self.nonce,
            nonceCount: Hexadecimal.padded(UInt64(self.nonceCount), count: 8),
            cnonce: cnonce,
            target: target,
            key: self.key(cnonce: cnonce),
            protection: self.challenge.protection
        )
        // Without qop, the client sends no cnonce, so the server cannot prove anything.
        if use.protection != nil {
            if self.uses.count == Self.maximumUseCount { self.uses.removeFirst() }
            self.uses.append(use)
        }
        return use
    }

    /// Keeps the first nonce of a `-sess` algorithm (RFC 7616 §3.4.2), because servers may recompute A1 from each request's nonces.
    private mutating func cnonceToSend(_ new: String) -> String {
        guard self.challenge.algorithm.isSession else { return new }
        let cnonce = self.sessionCnonce ?? new
        self.sessionCnonce = cnonce
        return cnonce
    }

    private mutating func key(cnonce: String) -> String {
        guard self.challenge.algorithm.isSession else { return self.passwordHash }
        // RFC 2617 §3.2.2.2: "A1 is calculated only once - on the first request by the client following receipt of a
        // WWW-Authenticate challenge from the server. It uses the server nonce from that challenge, and the first
        // client nonce value to construct A1".
        let key = self.sessionKey ?? self.hash.hex(Array(self.passwordHash.utf8), self.nonce, Array(cnonce.utf8))
        self.sessionKey = key
        return key
    }

    /// Returns the keyed hash of a use (RFC 7616 §3.4.1), or the hash of RFC 2617 §3.2.2.1 if `protection` is `nil`.
    private func response(to use: Use, a2: String, _ protection: DigestChallenge.Protection?) -> String {
        let a2 = self.hash.hex(a2)
        let key = Array(use.key.utf8)
        guard let protection else { return self.hash.hex(key, use.nonce, Array(a2.utf8)) }
        let rest = "\(use.nonceCount):\(use.cnonce):\(protection.rawValue):\(a2)"
        return self.hash.hex(key, use.nonce, Array(rest.utf8))
    }

    /// Formats the parameters in the order of RFC 7616 §3.9; algorithm, qop, nc and userhash are not quoted (§3.4).
    private func fieldValue(_ use: Use, _ response: String) -> [UInt8] {
        let challenge = self.challenge
        var value = Array("Digest \(self.userParameter), realm=".utf8) + FieldText.quoted(challenge.realm)
        value += ", uri=\(FieldText.quoted(use.target))".utf8
        if let name = challenge.algorithmName { value += ", algorithm=\(name)".utf8 }
        value += Array(", nonce=".utf8) + FieldText.quoted(use.nonce)
        if let protection = challenge.protection {
            value += ", nc=\(use.nonceCount), cnonce=\(FieldText.quoted(use.cnonce)), qop=\(protection.rawValue)".utf8
        }
        value += ", response=\"\(response)\"".utf8
        if let opaque = challenge.opaque { value += Array(", opaque=".utf8) + FieldText.quoted(opaque) }
        if challenge.takesUserHash { value += ", userhash=true".utf8 }
        return value
    }

    /// RFC 7616 §3.4, §3.4.4.
    private var userParameter: String {
        if self.challenge.takesUserHash {
            return "username=\"\(self.hash.hex(Array(self.user.utf8), self.challenge.realm))\""
        }
        // A quoted string has no charset, so a name with characters outside ASCII is sent with its charset in
        // `username*`. Servers from before RFC 7616, such as Apache, do not know `username*`: they get the raw bytes,
        // as from curl and browsers.
        let isASCII = self.user.utf8.allSatisfy { $0 < 0x80 }
        if !isASCII, self.challenge.knowsExtendedUser { return "username*=\(ExtendedValue.encode(self.user))" }
        return "username=\(FieldText.quoted(self.user))"
    }
}

// MARK: Answers of the server

extension DigestFlow {
    /// Takes over a new challenge if it has `stale=true`, which means that the server refused only the nonce.
    mutating func challenged(by challenge: DigestChallenge) -> Bool {
        // RFC 7616 §3.3: stale says "that the previous request from the client was rejected because the nonce value was
        // stale". The same nonce would be refused a second time.
        guard challenge.isStale, challenge.nonce != self.nonce else { return false }
        return self.renew(from: challenge, replacing: self.nonce)
    }

    /// Takes over a new challenge, unless it repeats the refused nonce, which another request may already have replaced.
    mutating func renew(from challenge: DigestChallenge, replacing nonce: [UInt8]) -> Bool {
        // The client must decide again how to answer a challenge with another realm or algorithm. A weaker algorithm
        // must not replace the current one here.
        guard challenge.nonce != nonce, challenge.realm == self.challenge.realm,
            challenge.algorithm == self.challenge.algorithm
        else { return false }
        guard challenge.nonce != self.nonce else { return true }  // this nonce is already in use; its count continues
        self.challenge = challenge
        self.use(challenge.nonce)
        self.sessionKey = nil
        return true
    }

    private mutating func use(_ nonce: [UInt8]) {
        self.nonce = nonce
        self.nonceCount = 0
        self.sessionCnonce = nil
    }

    /// Checks the proof in `Authentication-Info`, then takes over the next nonce (RFC 7616 §3.5).
    mutating func received(_ parameters: HTTPChallenge, responseBodyHash: String?) throws(AuthorizationError) {
        if let proof = parameters["rspauth"] { try self.check(proof, parameters, responseBodyHash) }
        // §3.5: nextnonce is "the nonce the server wishes the client to use for a future authentication response". If
        // the response to another request already brought this nonce, it is in use, and its count must not start over.
        guard let next = parameters.bytes(of: "nextnonce"), next != self.nonce, FieldText.isQuotable(next) else {
            return
        }
        self.use(next)
    }

    private mutating func check(
        _ proof: String,
        _ parameters: HTTPChallenge,
        _ responseBodyHash: String?
    ) throws(AuthorizationError) {
        guard self.challenge.protection != nil || !self.uses.isEmpty else { return }
        // §3.5: cnonce and nc must match the request that the server answers. Several requests may be in progress.
        let (cnonce, count) = (parameters["cnonce"], FieldText.lowercased(parameters["nc"] ?? ""))
        guard let index = self.uses.lastIndex(where: { $0.cnonce == cnonce && $0.nonceCount == count }) else {
            throw .wrongServerProof
        }
        let use = self.uses.remove(at: index)
        var protection = use.protection
        if let name = parameters["qop"] {
            guard let given = DigestChallenge.Protection(rawValue: FieldText.lowercased(name)) else {
                throw .wrongServerProof
            }
            protection = given
        }
        // §3.5: A2 is ":" request-uri, and with auth-int ":" H(entity-body).
        var a2 = ":\(use.target)"
        if protection == .authInt {
            guard let responseBodyHash else { return }
            a2 += ":\(responseBodyHash)"
        }
        let expected = self.response(to: use, a2: a2, protection)
        guard FieldText.isSame(FieldText.lowercased(proof), expected) else { throw .wrongServerProof }
    }
}
