// SPDX-License-Identifier: Apache-2.0

/// A hash algorithm for the digest of a body, named as in RFC 9530 §5.
///
/// These are the two algorithms that the registry of RFC 9530 §7.2 lists as active and as safe against tampering. The client
/// computes no others, and ignores digests by others in a response.
@nonexhaustive
public enum HashAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-512.
    case sha512 = "sha-512"
}

/// Whether the client checks the content of a response against its digest (RFC 9530).
@nonexhaustive
public enum DigestChecking: Hashable, Sendable {
    /// The client does not check digests, and computes no hash.
    case off
    /// If the server sends a digest, the client checks it.
    case ifPresent
    /// The client checks every response with content; a response without a digest that it can check is an error.
    case required
}
