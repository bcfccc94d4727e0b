// SPDX-License-Identifier: Apache-2.0

/// A Digest challenge that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Hashable, Sendable {
    enum Protection: String, Sendable {
        case auth
        case authInt = "auth-int"
    }

    /// The realm, the nonce and the opaque value are sent back byte for byte, in any charset.
    let realm: [UInt8]
    let nonce: [UInt8]
    let opaque: [UInt8]?
    let algorithm: DigestAlgorithm
    /// In the server's spelling.
    let algorithmName: String?
    /// `nil` if the challenge has no `qop`, as before RFC 2617.
    let protection: Protection?
    /// RFC 7616 §3.4.4.
    let takesUserHash: Bool
    /// Whether `charset`, `userhash` or an algorithm other than MD5 shows that the server supports `username*`.
    let knowsExtendedUser: Bool
    let isStale: Bool
    let domain: String?

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
        self.isStale = challenge.isStale
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

    /// Prefers `auth`: with `auth-int` the client must read the whole body before it can send the head.
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
    enum Hash: Int, Sendable {
        case md5
        case sha256
        case sha512t256

        /// Returns `H` of RFC 7616 §3.3 for texts joined by colons.
        func hex(_ parts: [UInt8]...) -> String {
            var hasher = BodyHasher(self)
            let text = Array(parts.joined(separator: [UInt8(ascii: ":")]))
            text.withUnsafeBytes { hasher.update($0) }
            return hasher.finalize()
        }

        func hex(_ text: String) -> String { self.hex(Array(text.utf8)) }
    }

    var hash: Hash
    /// `-sess`: the password is hashed together with the first nonces of a session.
    var isSession: Bool

    /// Creates an algorithm from the value of `algorithm`; without one, MD5 (RFC 7616 §3.3).
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
