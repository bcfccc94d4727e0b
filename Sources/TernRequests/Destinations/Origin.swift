// SPDX-License-Identifier: Apache-2.0
import TernErrors
public import TernValues

/// The server of a request: scheme, host and port (RFC 6454 §4), in canonical form.
///
/// The client compares origins, for example to decide which connection a request may use, and whether it may send a secret to the
/// target of a redirect.
public struct Origin: Hashable, Sendable {
    /// The schemes that HTTP itself defines (RFC 9110 §4.2).
    @nonexhaustive
    public enum Scheme: String, Hashable, Sendable {
        /// HTTP without TLS.
        case http
        /// HTTP over TLS.
        case https

        package var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// The scheme, which says whether the client uses TLS with the server.
    public let scheme: Scheme
    /// A name, or an IPv4 or IPv6 address, in lower case.
    ///
    /// An IPv6 address has no brackets and is in the form of RFC 5952. After a link-local address, `%` and the zone may follow,
    /// with the zone's own case (RFC 6874), because the address is valid only within that zone.
    public let host: String
    /// The port, from 1 to 65535.
    public let port: Int

    /// Creates an origin from parts that are known to be valid; to parse and check a URL, use ``Destination``.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - host: A name or an address, which is converted to the form of ``host``.
    ///   - port: The port, from 1 to 65535. Defaults to the port of the scheme.
    public init(scheme: Scheme, host: String, port: Int? = nil) {
        self.scheme = scheme
        self.host = Self.canonicalHost(host)
        self.port = port ?? scheme.defaultPort
    }

    package static func canonicalHost(_ host: String) -> String {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        let bare = isBracketed ? host.dropFirst().dropLast() : host[...]
        guard bare.utf8.contains(UInt8(ascii: ":")) else { return bare.lowercased() }
        let address = bare.prefix { $0 != "%" }
        let bytes = ContiguousArray(address.utf8)
        guard let known = IPv6Address(bytes.span, from: 0, to: bytes.count) else { return bare.lowercased() }
        return known.text + bare[address.endIndex...]
    }

    init(scheme: Scheme, canonicalHost: String, port: Int) {
        self.scheme = scheme
        self.host = canonicalHost
        self.port = port
    }

    /// The host as the client sends it to other machines, which must not get the zone (RFC 6874 §4).
    package var hostWithoutZone: String { self.zoneStart.map { String(self.host[..<$0]) } ?? self.host }

    package var zone: Substring? { self.zoneStart.map { self.host[$0...].dropFirst() } }

    private var zoneStart: String.Index? { self.host.utf8.firstIndex(of: UInt8(ascii: "%")) }

    package var hasDefaultPort: Bool { self.port == self.scheme.defaultPort }
}

extension Origin: CustomStringConvertible, Described {
    /// The scheme, the host and the port, even if it is the scheme's default: `https://example.com:443`.
    package var wording: String {
        var host = self.host
        if host.utf8.contains(UInt8(ascii: ":")) {
            host = "[\(self.hostWithoutZone)\(self.zone.map { "%25\($0)" } ?? "")]"  // as in a URL (RFC 6874 §2)
        }
        return "\(self.scheme.rawValue)://\(host):\(self.port)"
    }
}
