// SPDX-License-Identifier: Apache-2.0
import TernErrors
public import TernValues

/// The receiver of a request: scheme, host and port (RFC 6454 §4).
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
        package var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// How to talk to the host.
    public let scheme: Scheme
    /// A name, or an IPv4 or IPv6 address, in lower case.
    ///
    /// An IPv6 address is without brackets and in the form of RFC 5952, so that each address has one text. Behind a
    /// link-local one may stand `%` and the zone that a URL gives (RFC 6874), in which alone it means something.
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
        self.scheme = scheme
        self.host = Self.canonicalHost(host)
        self.port = port ?? scheme.defaultPort
    }

    /// The one text of a host, by which hosts can be compared.
    ///
    /// - Parameter host: a name or an address; an IPv6 address may have brackets, and a link-local one a zone.
    /// - Returns: a name in lower case, an IPv6 address as in ``host``.
    package static func canonicalHost(_ host: String) -> String {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        let bare = isBracketed ? host.dropFirst().dropLast() : host[...]
        guard bare.utf8.contains(UInt8(ascii: ":")) else { return bare.lowercased() }
        let address = bare.prefix { $0 != "%" }
        let bytes = Array(address.utf8)
        guard let known = IPv6Address(bytes.span, from: 0, to: bytes.count) else { return bare.lowercased() }
        return known.text + bare[address.endIndex...]
    }

    /// Creates an origin from parts in their one form.
    init(scheme: Scheme, canonicalHost: String, port: Int) {
        self.scheme = scheme
        self.host = canonicalHost
        self.port = port
    }

    /// The host as others may know it: "An HTTP client, proxy, or other intermediary MUST remove any ZoneID attached to an
    /// outgoing URI, as it has only local significance at the sending host" (RFC 6874 §4).
    package var hostWithoutZone: String { self.zoneStart.map { String(self.host[..<$0]) } ?? self.host }

    /// The zone of a link-local address, such as `eth0`; `nil` if the host has none.
    package var zone: Substring? { self.zoneStart.map { self.host[$0...].dropFirst() } }

    /// No name holds a percent sign.
    private var zoneStart: String.Index? { self.host.utf8.firstIndex(of: UInt8(ascii: "%")) }

    /// Whether the port is the one that is meant when a URL names none.
    package var hasDefaultPort: Bool { self.port == self.scheme.defaultPort }
}

extension Origin: CustomStringConvertible, Described {
    /// Scheme, host and port, always all three: `https://example.com:443`.
    package var wording: String {
        var host = self.host
        if host.utf8.contains(UInt8(ascii: ":")) {
            host = "[\(self.hostWithoutZone)\(self.zone.map { "%25\($0)" } ?? "")]"  // as in a URL (RFC 6874 §2)
        }
        return "\(self.scheme.rawValue)://\(host):\(self.port)"
    }
}
