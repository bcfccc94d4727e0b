// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// Digest with one server and one password, from challenge to challenge (RFC 7616).
///
/// The password is hashed at once and not kept.
struct DigestFlow: Sendable {
    /// A field value that was made, and what the server needs to prove that it knows the password, too.
    struct Use: Hashable, Sendable {
        var nonce: [UInt8]
        var nonceCount: String
        var cnonce: String
        var target: String
        /// `H(A1)`.
        var key: String
        /// What the request protected.
        var protection: DigestChallenge.Protection?
    }

    /// How many uses are kept for `Authentication-Info`; twice the connections that a host may have.
    static let maximumUseCount = 128

    /// The challenge that is being answered.
    private(set) var challenge: DigestChallenge
    /// The nonce for the next request: the challenge's, or one that came with an answer.
    private(set) var nonce: [UInt8]
    private let user: String
    /// `H(user ":" realm ":" password)`.
    private let passwordHash: String
    /// The `H(A1)` of a `-sess` algorithm, once the first request has fixed it.
    private var sessionKey: String?
    /// The client's nonce of a `-sess` algorithm, for as long as the server's lasts.
    private var sessionCnonce: String?
    private var nonceCount: UInt32 = 0
    /// The latest uses that no answer was seen to, the oldest first.
    private var uses: [Use] = []

    /// Begins with a challenge.
    init(_ challenge: DigestChallenge, user: String, password: String) throws(AuthorizationError) {
        guard FieldText.isPrintable(user) else { throw .invalidUser }
        self.challenge = challenge
        self.nonce = challenge.nonce
        self.user = user
        self.passwordHash = challenge.algorithm.hash.hex(Array(user.utf8), challenge.realm, Array(password.utf8))
    }

    private var hash: DigestAlgorithm.Hash { self.challenge.algorithm.hash }

    /// What hashes a body, if it is protected.
    var bodyHasher: BodyHasher? { self.challenge.protection == .authInt ? BodyHasher(self.hash) : nil }

    // MARK: Answering

    /// The value of `Authorization` for one request.
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

    /// Counts a use of the nonce and remembers it.
    private mutating func newUse(target: String, cnonce: String) throws(AuthorizationError) -> Use {
        guard self.nonceCount < .max else { throw .nonceExhausted }
        self.nonceCount += 1
        let cnonce = self.settledCnonce(cnonce)
        let use = Use(
            nonce: self.nonce,
            nonceCount: Hexadecimal.padded(UInt64(self.nonceCount), count: 8),
            cnonce: cnonce,
            target: target,
            key: self.key(cnonce: cnonce),
            protection: self.challenge.protection
        )
        // Without qop there is no nonce of the client's that the server could prove anything with.
        if use.protection != nil {
            if self.uses.count == Self.maximumUseCount { self.uses.removeFirst() }
            self.uses.append(use)
        }
        return use
    }

    /// The client's nonce that is sent: a `-sess` algorithm keeps the first one for as long as the server's nonce lasts.
    ///
    /// RFC 7616 §3.4.2: A1 is made with the first nonces "for the authentication of subsequent requests". Servers that keep
    /// no sessions make it again from those of each request, which must come to the same.
    private mutating func settledCnonce(_ new: String) -> String {
        guard self.challenge.algorithm.isSession else { return new }
        let cnonce = self.sessionCnonce ?? new
        self.sessionCnonce = cnonce
        return cnonce
    }

    /// `H(A1)` (RFC 7616 §3.4.2).
    private mutating func key(cnonce: String) -> String {
        guard self.challenge.algorithm.isSession else { return self.passwordHash }
        // RFC 2617 §3.2.2.2: "A1 is calculated only once - on the first request by the client following receipt of a
        // WWW-Authenticate challenge from the server. It uses the server nonce from that challenge, and the first
        // client nonce value to construct A1".
        let key = self.sessionKey ?? self.hash.hex(Array(self.passwordHash.utf8), self.nonce, Array(cnonce.utf8))
        self.sessionKey = key
        return key
    }

    /// The keyed hash of a use (RFC 7616 §3.4.1), or that of RFC 2617 §3.2.2.1 if nothing is protected.
    private func response(to use: Use, a2: String, _ protection: DigestChallenge.Protection?) -> String {
        let a2 = self.hash.hex(a2)
        let key = Array(use.key.utf8)
        guard let protection else { return self.hash.hex(key, use.nonce, Array(a2.utf8)) }
        let rest = "\(use.nonceCount):\(use.cnonce):\(protection.rawValue):\(a2)"
        return self.hash.hex(key, use.nonce, Array(rest.utf8))
    }

    /// Writes the parameters, in the order of RFC 7616 §3.9.
    ///
    /// RFC 7616 §3.4: algorithm, qop and nc must not be quoted, the others must; userhash is a token.
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

    /// The name: hashed if the server takes that, else as it is, else as an `ext-value` (RFC 7616 §3.4, §3.4.4).
    private var userParameter: String {
        if self.challenge.takesUserHash {
            return "username=\"\(self.hash.hex(Array(self.user.utf8), self.challenge.realm))\""
        }
        // A quoted string has no charset, so a name beyond ASCII goes where the charset is named. Servers of the time before
        // RFC 7616 know no `username*`, Apache's among them: they get the bytes as they are, as from curl and browsers.
        let isASCII = self.user.utf8.allSatisfy { $0 < 0x80 }
        if !isASCII, self.challenge.knowsExtendedUser { return "username*=\(ExtendedValue.encode(self.user))" }
        return "username=\(FieldText.quoted(self.user))"
    }
}

// MARK: Learning

extension DigestFlow {
    /// Takes a new challenge, if it says that just the nonce was refused.
    ///
    /// - Returns: Whether the same credential may be tried again.
    mutating func challenged(by challenge: DigestChallenge) -> Bool {
        // RFC 7616 §3.3: stale says "that the previous request from the client was rejected because the nonce value was
        // stale". The same nonce again would be refused again.
        guard challenge.isStale, challenge.nonce != self.nonce else { return false }
        return self.renew(from: challenge, replacing: self.nonce)
    }

    /// Takes a new challenge whether or not it says that just the nonce was refused.
    ///
    /// - Parameters:
    ///   - challenge: the challenge.
    ///   - nonce: what the refused request used; another request may have renewed it meanwhile.
    /// - Returns: whether the next request uses another nonce than the refused one.
    mutating func renew(from challenge: DigestChallenge, replacing nonce: [UInt8]) -> Bool {
        // Another realm or algorithm is another question, and a weaker one must not come in through the back door.
        guard challenge.nonce != nonce, challenge.realm == self.challenge.realm,
            challenge.algorithm == self.challenge.algorithm
        else { return false }
        guard challenge.nonce != self.nonce else { return true }  // counted on, not from one
        self.challenge = challenge
        self.use(challenge.nonce)
        self.sessionKey = nil
        return true
    }

    /// Uses a nonce from here on.
    private mutating func use(_ nonce: [UInt8]) {
        self.nonce = nonce
        self.nonceCount = 0
        self.sessionCnonce = nil
    }

    /// Checks the proof in `Authentication-Info`, then takes the next nonce from it (RFC 7616 §3.5).
    mutating func received(_ parameters: HTTPChallenge, responseBodyHash: String?) throws(AuthorizationError) {
        if let proof = parameters["rspauth"] { try self.check(proof, parameters, responseBodyHash) }
        // §3.5: nextnonce is "the nonce the server wishes the client to use for a future authentication response". One
        // that an answer to another request has brought before is in use, and must not be counted from the start.
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
        // §3.5: cnonce and nc must be those of the request that this answers, which may be any of several under way.
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
