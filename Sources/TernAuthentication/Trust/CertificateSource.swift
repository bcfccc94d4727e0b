// SPDX-License-Identifier: Apache-2.0

/// A text, a file or data that contains certificates to trust.
@nonexhaustive
public enum CertificateSource: Hashable, Sendable {
    /// A file of one or more certificates in PEM form (RFC 7468).
    case pemFile(path: String)
    /// One or more certificates in PEM form (RFC 7468).
    case pem(String)
    /// One certificate in DER form (RFC 5280 §4.1).
    case der([UInt8])
}
