// SPDX-License-Identifier: Apache-2.0

/// A hash algorithm for the digest of a body (RFC 9530) and for the checksum of a file.
///
/// The client sends digests and checksums by any of these algorithms. In a response, it checks only digests by SHA-256 and SHA-512,
/// the two algorithms that the registry of RFC 9530 §7.2 lists as active and as safe against tampering, and ignores the others.
@nonexhaustive
public enum HashAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-512.
    case sha512 = "sha-512"
    /// SHA-1, which detects accidents but not attacks; for servers and publishers that support nothing better.
    case sha1 = "sha-1"
    /// MD5, which detects accidents but not attacks; for servers and publishers that support nothing better.
    case md5

    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        case .sha1: 20
        case .md5: 16
        }
    }

    /// The name without a hyphen, such as `sha256`, as in a checksum as text and in `Upload-Checksum` of the tus protocol.
    package var checksumName: String { self.rawValue.filter { $0 != "-" } }

    package init?(checksumName name: String) {
        guard let algorithm = Self.allCases.first(where: { $0.checksumName == name }) else { return nil }
        self = algorithm
    }
}

/// Whether the client checks the content of a response against its digest (RFC 9530).
@nonexhaustive
public enum DigestChecking: Hashable, Sendable {
    /// The client does not check digests, except in a download that can be resumed.
    case off
    /// If the server sends a digest that the client can check, the client checks it.
    case ifPresent
    /// The client also refuses content from the server without a digest that it can check.
    case required
}
