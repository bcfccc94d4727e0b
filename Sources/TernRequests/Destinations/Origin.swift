// SPDX-License-Identifier: Apache-2.0

/// Whom a request is sent to: scheme, host and port (RFC 6454 §4).
///
/// Two requests share a connection, a cookie jar entry or a credential only if their origins are equal, so an origin is
/// always in one form: the host in lower case, the port written out.
public struct Origin: Hashable, Sendable {
    /// The schemes that HTTP itself defines (RFC 9110 §4.2).
    @nonexhaustive
    public enum Scheme: String, Hashable, Sendable {
        /// Over plain TCP.
        case http
        /// Over TLS.
        case https

        /// The port that is meant when a URL names none: 80 or 443.
        public var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// How to talk to the host.
    public let scheme: Scheme
    /// A name, or an IPv4 or IPv6 address, in lower case; an IPv6 address is without its brackets.
    public let host: String
    /// The port, from 1 to 65535.
    public let port: Int

    /// Creates an origin from parts that are known to be right; ``Destination`` makes one from any URL, and checks it.
    ///
    /// - Parameters:
    ///   - scheme: how to talk to the host.
    ///   - host: a name or an address; made lower case, brackets around an IPv6 address are removed.
    ///   - port: from 1 to 65535; by default the port of the scheme.
    public init(scheme: Scheme, host: String, port: Int? = nil) {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        self.scheme = scheme
        self.host = (isBracketed ? String(host.dropFirst().dropLast()) : host).lowercased()
        self.port = port ?? scheme.defaultPort
    }

    /// Creates an origin from parts in their one form.
    init(scheme: Scheme, canonicalHost: String, port: Int) {
        self.scheme = scheme
        self.host = canonicalHost
        self.port = port
    }

    /// Whether the port is the one that is meant when a URL names none.
    public var hasDefaultPort: Bool { self.port == self.scheme.defaultPort }
}

extension Origin: CustomStringConvertible {
    /// Scheme, host and port, always all three: `https://example.com:443`.
    public var description: String {
        let host = self.host.utf8.contains(UInt8(ascii: ":")) ? "[\(self.host)]" : self.host
        return "\(self.scheme.rawValue)://\(host):\(self.port)"
    }
}
