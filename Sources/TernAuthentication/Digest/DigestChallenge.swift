// SPDX-License-Identifier: Apache-2.0

/// A challenge of Digest that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Hashable, Sendable {
    /// What a response protects (RFC 7616 §3.3, `qop`).
    enum Protection: String, Sendable {
        /// Method and target.
        case auth
        /// The body, too.
        case authInt = "auth-int"
    }

    /// These three go back byte for byte as they came, whatever their charset is.
    let realm: [UInt8]
    let nonce: [UInt8]
    let opaque: [UInt8]?
    let algorithm: DigestAlgorithm
    /// The algorithm as the server wrote it; `nil` if it did not.
    let algorithmName: String?
    /// `nil` if the server offers none, as before RFC 2617.
    let protection: Protection?
    /// Whether the server takes the hash of a name for the name (RFC 7616 §3.4.4).
    let takesUserHash: Bool
    /// Whether the server shows that it knows RFC 7616, and so `username*`: by `charset`, `userhash` or a newer algorithm.
    let knowsExtendedUser: Bool
    /// Whether it was just the nonce that was refused, not the password.
    let isStale: Bool
    let domain: String?

    /// Checks a challenge.
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
        // A session's key needs a client's nonce, which there is no place for without qop (RFC 2617 §3.2.2.2).
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

    /// Chooses from the offer, which is `nil` if there is none.
    ///
    /// `auth` comes first: `auth-int` must have read the whole body before the head can be sent, and TLS protects the
    /// body better.
    private static func protection(of offer: String?) throws(AuthorizationError) -> Protection? {
        guard let offer else { return nil }
        let values = offer.split { $0 == "," || $0 == " " || $0 == "\t" }.map { FieldText.lowercased(String($0)) }
        if values.contains(Protection.auth.rawValue) { return .auth }
        // RFC 7616 §3.3: "Unrecognized options MUST be ignored."
        guard values.contains(Protection.authInt.rawValue) else { throw .unsupportedQop }
        return .authInt
    }
}

/// An algorithm of Digest (RFC 7616 §3.3, §6.1).
struct DigestAlgorithm: Hashable, Sendable {
    /// The hash function, the weakest first.
    enum Hash: Int, Sendable {
        case md5
        case sha256
        case sha512t256

        /// The hash of texts joined by colons, as hexadecimal digits: `H` in RFC 7616 §3.3.
        func hex(_ parts: [UInt8]...) -> String {
            var hasher = BodyHasher(self)
            let text = Array(parts.joined(separator: [UInt8(ascii: ":")]))
            text.withUnsafeBytes { hasher.update($0) }
            return hasher.finalize()
        }

        /// The same of text alone, as UTF-8.
        func hex(_ text: String) -> String { self.hex(Array(text.utf8)) }
    }

    /// The hash function.
    var hash: Hash
    /// Whether the password is hashed together with the first nonces of a session (`-sess`).
    var isSession: Bool

    /// Reads the value of `algorithm`; `nil` if it is unknown.
    ///
    /// RFC 7616 §3.3: if it is not present, it is assumed to be MD5.
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
