// SPDX-License-Identifier: Apache-2.0

/// An algorithm of Digest (RFC 7616 §3.3, §6.1).
struct DigestAlgorithm: Hashable, Sendable {
    /// The hash function, the weakest first.
    enum Hash: Int, Sendable {
        case md5
        case sha256
        case sha512t256

        /// The hash of a text's UTF-8 as hexadecimal digits: `H` in RFC 7616 §3.3.
        func hex(_ text: String) -> String {
            var hasher = BodyHasher(self)
            hasher.update(text)
            return hasher.finalize()
        }
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
