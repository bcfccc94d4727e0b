// SPDX-License-Identifier: Apache-2.0

/// A hash algorithm for the digest of a body, by its name in RFC 9530 §5.
///
/// They are the two that the registry calls active for use against tampering. Older ones, such as `md5` and `sha`, are never
/// computed, and ignored in what a server sends.
@nonexhaustive
public enum HashAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-512.
    case sha512 = "sha-512"
}

/// Whether the content of a response is checked against its digest (RFC 9530).
@nonexhaustive
public enum DigestChecking: Hashable, Sendable {
    /// It is not; no hash is computed.
    case off
    /// It is if the server sends a digest.
    case ifPresent
    /// It is, and a response without a digest that can be checked is an error.
    case required
}
