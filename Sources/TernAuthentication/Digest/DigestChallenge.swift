// SPDX-License-Identifier: Apache-2.0

/// A Digest challenge that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Hashable, Sendable {
    /// The parts of a request that the `response` parameter protects (RFC 7616 §3.3, `qop`).
    enum Protection: String, Sendable {
        /// The method and the target.
        case auth
        /// The method, the target and the body.
        case authInt = "auth-int"
    }

    /// The realm.
    ///
    /// The client sends the realm, the nonce and the opaque value back byte for byte, in any charset.
    let realm: [UInt8]
    let nonce: [UInt8]
    let opaque: [UInt8]?
    let algorithm: DigestAlgorithm
    /// The name of the algorithm in the server's spelling; `nil` if the server named none.
    let algorithmName: String?
    /// The chosen protection; `nil` if the challenge has no `qop`, as before RFC 2617.
    let protection: Protection?
    /// Whether the server accepts a hash of the user name instead of the name (RFC 7616 §3.4.4).
    let takesUserHash: Bool
    /// Whether the server is known to support `username*` of RFC 7616.
    ///
    /// The challenge of such a server has `charset`, `userhash`, or an algorithm other than MD5.
    let knowsExtendedUser: Bool
    /// Whether the server refused the request only because the nonce was too old.
    let isStale: Bool
    let domain: String?

    /// Checks a challenge, and reads its parameters.
    init(_ challenge: HTTPChallenge) throws(AuthorizationError) {
        guard challenge.scheme == .digest else { throw .unsupportedScheme }
        self.realm = try Self.required("realm", of: challenge)
        self.nonce = try Self.required("nonce", of: challenge)
        self.opaque = challenge.bytes(of: "opaque")
        guard FieldText.isQuotable(self.opaque ?? []) else { throw .invalidParameter("opaque") }
        self.algorithmName = challenge["algorithm"]
        // RFC 7616 §3.3: a challenge whose algorithm is not understood should be ignored.
        guard let algorithm = DigestAlgorithm(self.algorithmName) else { throw .unsupportedAlgorithm }
        self.algorithm = algorithm
        self.protection = try Self.protection(of: challenge["qop"])
        // A `-sess` key needs a nonce of the client, and without qop, the client cannot send one (RFC 2617 §3.2.2.2).
        guard self.protection != nil || !algorithm.isSession else { throw .unsupportedQop }
        self.knowsExtendedUser =
            challenge["charset"] != nil || challenge["userhash"] != nil || algorithm.hash != .md5
        self.takesUserHash = FieldText.lowercased(challenge["userhash"] ?? "") == "true"
        // RFC 7616 §3.3: the flag is compared without case.
        self.isStale = FieldText.lowercased(challenge["stale"] ?? "") == "true"
        self.domain = challenge["domain"]
    }

    private static func required(
        _ name: String,
        of challenge: HTTPChallenge
    ) throws(AuthorizationError) -> [UInt8] {
        guard let value = challenge.bytes(of: name) else { throw .missingParameter(name) }
        guard FieldText.isQuotable(value) else { throw .invalidParameter(name) }
        return value
    }

    /// Chooses a protection from the values of `qop`; `nil` if the challenge has no `qop`, or an empty one.
    ///
    /// Prefers `auth`: with `auth-int` the client must read the whole body before it can send the head, and TLS
    /// protects the body better.
    private static func protection(of offer: String?) throws(AuthorizationError) -> Protection? {
        guard let offer else { return nil }
        let values = offer.split { $0 == "," || $0 == " " || $0 == "\t" }.map { FieldText.lowercased(String($0)) }
        // An empty list offers nothing, so it counts as none, as in curl. This gives away no more than a challenge
        // without `qop`, which the client answers, too.
        if values.isEmpty { return nil }
        if values.contains(Protection.auth.rawValue) { return .auth }
        // RFC 7616 §3.3: "Unrecognized options MUST be ignored."
        guard values.contains(Protection.authInt.rawValue) else { throw .unsupportedQop }
        return .authInt
    }
}

/// An algorithm of Digest (RFC 7616 §3.3, §6.1).
struct DigestAlgorithm: Hashable, Sendable {
    /// The hash functions, weakest first.
    enum Hash: Int, Sendable {
        case md5
        case sha256
        case sha512t256

        /// Returns the hash of texts joined by colons, as hexadecimal digits: `H` in RFC 7616 §3.3.
        func hex(_ parts: [UInt8]...) -> String {
            var hasher = BodyHasher(self)
            let text = Array(parts.joined(separator: [UInt8(ascii: ":")]))
            text.withUnsafeBytes { hasher.update($0) }
            return hasher.finalize()
        }

        /// Returns the hash of one text, as UTF-8.
        func hex(_ text: String) -> String { self.hex(Array(text.utf8)) }
    }

    /// The hash function.
    var hash: Hash
    /// Whether the password is hashed together with the first nonces of a session (`-sess`).
    var isSession: Bool

    /// Creates an algorithm from the value of `algorithm`; `nil` if it is unknown.
    ///
    /// RFC 7616 §3.3: if the parameter is not present, the algorithm is assumed to be MD5.
    init?(_ name: String?) {
        switch FieldText.lowercased(name ?? "MD5") {
        case "md5": (self.hash, self.isSession) = (.md5, false)
        case "md5-sess": (self.hash, self.isSession) = (.md5, true)
        case "sha-256": (self.hash, self.isSession) = (.sha256, false)
        case "sha-256-sess": (self.hash, self.isSession) = (.sha256, true)
        case "sha-512-256": (self.hash, self.isSession) = (.sha512t256, false)
        case "sha-512-256-sess": (self.hash, self.isSession) = (.sha512t256, true)
        default: return nil
        }
    }
}
