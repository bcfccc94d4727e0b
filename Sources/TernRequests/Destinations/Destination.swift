// SPDX-License-Identifier: Apache-2.0
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a URL means to HTTP/1.1: the host to connect to, and what to write into the request head.
///
/// The URL is read once, byte by byte, and strictly: what two parsers might read in two ways is refused, so that the
/// host that was checked is the host that is connected to.
public struct Destination: Hashable, Sendable {
    /// Whom to connect to.
    public let origin: Origin
    /// Path and query in origin form (RFC 9112 §3.2.1); `/` if the URL has neither; never a fragment.
    public let target: String
    /// The value of the `Host` field (RFC 9112 §3.2): the host, in brackets if it is an IPv6 address and without its zone, and
    /// the port unless it is the default of the scheme.
    public let hostField: String
    /// The name and password that the URL holds, if any; kept for authentication, never sent by itself.
    public let userInfo: UserInfo?

    /// A name and a password from a URL, percent-decoded.
    public struct UserInfo: Hashable, Sendable {
        /// The name; may be empty.
        public let user: String
        /// The password; `nil` if the URL has no colon after the name.
        public let password: String?

        /// Creates a pair.
        ///
        /// - Parameters:
        ///   - user: the name.
        ///   - password: the password, if there is one.
        public init(user: String, password: String?) {
            self.user = user
            self.password = password
        }
    }

    /// Reads a URL.
    ///
    /// `URL` itself is lenient: it percent-encodes what does not belong, so that a space in a host arrives here as
    /// `%20`, and is refused.
    ///
    /// - Parameter url: an absolute URL with the scheme `http` or `https`. Its fragment is dropped (RFC 9110 §7.1).
    /// - Throws: `InvalidRequest.relativeURL` if it has no scheme and no host, `InvalidRequest.missingScheme` if it has only a host,
    ///   `InvalidRequest.unsupportedScheme` if it has another one,
    ///   `InvalidRequest.missingHost`, `InvalidRequest.malformedHost`,
    ///   `InvalidRequest.malformedPort` or `InvalidRequest.malformedTarget` for its other
    ///   parts; nothing else.
    /// - Complexity: O(*n*) in the length of the URL.
    public init(_ url: URL) throws(InvalidRequest) {
        try self.init(text: url.absoluteString)
    }

    /// Reads the text of a URL.
    init(text: String) throws(InvalidRequest) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(InvalidRequest) -> Destination in try DestinationParser.parse(bytes.span) }
        }
        self = try result.get()
    }

    init(origin: Origin, target: String, hostField: String, userInfo: UserInfo?) {
        self.origin = origin
        self.target = target
        self.hostField = hostField
        self.userInfo = userInfo
    }

    /// The target without its query.
    public var path: Substring { self.target.prefix { $0 != "?" } }
}

extension Destination: CustomStringConvertible {
    /// Origin and path; neither the query nor the password, so that it is safe to log.
    public var description: String { "\(self.origin)\(self.path)" }
}

extension Destination.UserInfo: CustomStringConvertible, CustomReflectable {
    /// A mask: a name and a password do not belong in a log.
    public var description: String { "***" }

    /// Shows nothing to `dump`, of a proxy or a configuration either.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

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
    public var hasDefaultPort: Bool { self.port == self.scheme.defaultPort }
}

extension Origin: CustomStringConvertible {
    /// Scheme, host and port, always all three: `https://example.com:443`.
    public var description: String {
        var host = self.host
        if host.utf8.contains(UInt8(ascii: ":")) {
            host = "[\(self.hostWithoutZone)\(self.zone.map { "%25\($0)" } ?? "")]"  // as in a URL (RFC 6874 §2)
        }
        return "\(self.scheme.rawValue)://\(host):\(self.port)"
    }
}
