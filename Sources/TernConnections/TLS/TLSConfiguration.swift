// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernValues

/// The settings of TLS: which servers to trust, which versions to speak, and which identity to present.
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

    /// Which certificates to trust; the roots of the system by default.
    public var trust: TrustPolicy
    /// The certificate that is shown to servers that ask for one; none by default.
    public var identity: ClientIdentity?
    /// The oldest version to accept; TLS 1.2 by default, since older ones are withdrawn (RFC 8996).
    public var minimumVersion: Version
    /// The newest version to accept; `nil`, the default, for the newest there is.
    public var maximumVersion: Version?
    /// The protocols to offer in order of preference (RFC 7301): one, until there is another to speak.
    package var applicationProtocols = ["http/1.1"]
    /// A file to which the secrets of each connection are appended, in the form that Wireshark reads; `nil` by default.
    ///
    /// Who has the file can read everything that was sent. It is for its owner alone (mode 0600), also if it was there
    /// before. A file of another user, one with a second name, and a link that another user made are refused.
    public var keyLogPath: String?

    /// Creates settings; without arguments, those that suit any public server.
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
