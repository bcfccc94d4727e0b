// SPDX-License-Identifier: Apache-2.0
public import TernAuthentication
public import TernValues

/// The settings of TLS in the client's own transport, such as trusted certificates, versions and the client's certificate.
public struct TLSConfiguration: Hashable, Sendable {
    /// A version of TLS that the client supports; a newer version is greater.
    @nonexhaustive
    public enum Version: Hashable, Comparable, Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// The certificates to trust, and the keys to pin; by default the roots of the system, and no pins.
    public var trust: TrustPolicy
    /// The certificate to present to servers that ask for one; by default none.
    public var identity: ClientIdentity?
    /// The oldest version to accept, by default TLS 1.2; older versions are deprecated (RFC 8996), and not supported.
    public var minimumVersion: Version
    /// The newest version to accept; `nil`, the default, means the newest supported version.
    public var maximumVersion: Version?
    /// The protocols to offer, in order of preference (RFC 7301).
    package var applicationProtocols = ["http/1.1"]
    /// The path of a file to which the client appends the secrets of TLS connections, in the format that Wireshark reads.
    ///
    /// Anyone who can read the file can decrypt the traffic, so the client makes it private. If the client cannot open the file
    /// safely, connecting with TLS fails with `ClientError.tlsFailed`: for example, if the file belongs to another user or has
    /// a second hard link, or if the path is a symbolic link of a user other than this one and root. Defaults to `nil`.
    public var keyLogPath: String?

    /// Creates settings, by default those for public servers.
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
    package var wording: String {
        switch self {
        case .tls12: "TLS 1.2"
        case .tls13: "TLS 1.3"
        }
    }
}
