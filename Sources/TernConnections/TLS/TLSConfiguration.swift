// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernValues

/// The settings of TLS: trusted servers, versions, and the client's identity.
public struct TLSConfiguration: Hashable, Sendable {
    /// A version of TLS.
    @nonexhaustive
    public enum Version: Int, Hashable, Comparable, Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls12 = 12
        /// TLS 1.3 (RFC 8446).
        case tls13 = 13

        public static func < (one: Version, other: Version) -> Bool { one.rawValue < other.rawValue }
    }

    /// The certificates to trust.
    ///
    /// Defaults to the roots of the system.
    public var trust: TrustPolicy
    /// The certificate to present to servers that ask for one.
    ///
    /// Defaults to `nil`.
    public var identity: ClientIdentity?
    /// The oldest version to accept.
    ///
    /// Defaults to TLS 1.2; older ones are deprecated (RFC 8996).
    public var minimumVersion: Version
    /// The newest version to accept.
    ///
    /// Defaults to `nil`, the newest that is supported.
    public var maximumVersion: Version?
    /// The protocols to offer, in order of preference (RFC 7301).
    ///
    /// Only one is supported so far.
    package var applicationProtocols = ["http/1.1"]
    /// A file to which the secrets of each connection are appended, in the format that Wireshark reads.
    ///
    /// Defaults to `nil`. Anyone who can read the file can decrypt the traffic. Only its owner can read it (mode 0600),
    /// even if it existed before. Files of another user, files with a second name, and links of another user are
    /// rejected.
    public var keyLogPath: String?

    /// Creates settings.
    ///
    /// The defaults suit any public server.
    public init(
        trust: TrustPolicy = .system,
        identity: ClientIdentity? = nil,
        minimumVersion: Version = .tls12,
        maximumVersion: Version? = nil,
        keyLogPath: String? = nil
    ) {
        self.trust = trust
        self.identity = identity
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
        self.keyLogPath = keyLogPath
    }
}

extension TLSConfiguration.Version: CustomStringConvertible, Described {
    /// `TLS 1.2` or `TLS 1.3`.
    package var wording: String {
        switch self {
        case .tls12: "TLS 1.2"
        case .tls13: "TLS 1.3"
        }
    }
}
