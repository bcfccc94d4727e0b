// SPDX-License-Identifier: Apache-2.0

/// How TLS is set up: whom to trust, and from which version on.
///
/// Verification of certificate and host name is always on.
public struct TLSConfiguration: Hashable, Sendable {
    /// A version of TLS.
    public enum Version: Int, Hashable, Comparable, Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls12 = 12
        /// TLS 1.3 (RFC 8446).
        case tls13 = 13

        public static func < (one: Version, other: Version) -> Bool { one.rawValue < other.rawValue }
    }

    /// Where a certificate is to be found.
    public enum Certificate: Hashable, Sendable {
        /// A file of one or more certificates in PEM form.
        case pemFile(path: String)
        /// One or more certificates in PEM form.
        case pem(String)
        /// One certificate in DER form.
        case der([UInt8])
    }

    /// Whether the roots that the system trusts are trusted; `true` by default.
    public var trustsSystemRoots: Bool
    /// Roots that are trusted besides, such as a company's own; none by default.
    public var additionalRoots: [Certificate]
    /// The oldest version to accept; TLS 1.2 by default, since older ones are withdrawn (RFC 8996).
    public var minimumVersion: Version
    /// The protocols to offer in order of preference (RFC 7301); `http/1.1` by default.
    public var applicationProtocols: [String]

    /// Creates settings; without arguments, those that suit any public server.
    public init(
        trustsSystemRoots: Bool = true,
        additionalRoots: [Certificate] = [],
        minimumVersion: Version = .tls12,
        applicationProtocols: [String] = ["http/1.1"]
    ) {
        self.trustsSystemRoots = trustsSystemRoots
        self.additionalRoots = additionalRoots
        self.minimumVersion = minimumVersion
        self.applicationProtocols = applicationProtocols
    }

    /// Hashes the cheap half only: this runs once per request, and clients differ in little else.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.minimumVersion)
        hasher.combine(self.additionalRoots.count)
    }
}
