// SPDX-License-Identifier: Apache-2.0

public import TernRequests

/// A proxy: an intermediary that the client itself chose (RFC 9110 §3.7).
///
/// ```swift
/// let proxy = try Proxy("http://user:password@proxy.example:3128")
/// let same = Proxy(.http, host: "proxy.example", port: 3128, user: "user", password: "password")
/// ```
public struct Proxy: Hashable, Sendable {
    /// How to talk to a proxy.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// HTTP over plain TCP; a request for `https` goes through a tunnel (CONNECT, RFC 9110 §9.3.6).
        case http
        /// HTTP over TLS to the proxy; a request for `https` has a second TLS inside.
        case https
        /// SOCKS version 5 (RFC 1928); the proxy looks up names.
        case socks5

        /// The port that is meant when a URL names none: 80, 443 or 1080.
        ///
        /// 80 and 443 are the defaults of the schemes (RFC 9110 §4.2), as in Go and Python; curl alone takes 1080 for
        /// `http`. 1080 is the port of SOCKS (RFC 1928 §3).
        public var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5: 1080
            }
        }
    }

    /// How to talk to it.
    public let kind: Kind
    /// Its name or address, in lower case; an IPv6 address is without its brackets.
    public let host: String
    /// Its port, from 1 to 65535.
    public let port: Int
    /// Who to be towards the proxy; `nil` if nobody in particular.
    public let userInfo: Destination.UserInfo?

    /// Creates a proxy from parts that are known to be right; ``init(_:)`` reads a URL, and checks it.
    ///
    /// - Parameters:
    ///   - kind: how to talk to it.
    ///   - host: its name or address; made lower case, brackets around an IPv6 address are removed.
    ///   - port: from 1 to 65535; by default that of the kind.
    ///   - user: who to be towards the proxy; by default nobody, and then the password is not used.
    ///   - password: the password that belongs to the user; none by default.
    public init(_ kind: Kind, host: String, port: Int? = nil, user: String? = nil, password: String? = nil) {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        self.kind = kind
        self.host = (isBracketed ? String(host.dropFirst().dropLast()) : host).lowercased()
        self.port = port ?? kind.defaultPort
        self.userInfo = user.map { .init(user: $0, password: password) }
    }
}

extension Proxy: CustomStringConvertible {
    /// Kind, host and port, always all three, with a mask where the user and the password were:
    /// `http://***@proxy.example:3128`.
    public var description: String {
        let host = self.host.utf8.contains(UInt8(ascii: ":")) ? "[\(self.host)]" : self.host
        let mask = self.userInfo.map { "\($0)@" } ?? ""
        return "\(self.kind.rawValue)://\(mask)\(host):\(self.port)"
    }
}
