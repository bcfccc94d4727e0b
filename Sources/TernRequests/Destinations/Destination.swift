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
    /// The server to connect to.
    public let origin: Origin
    /// Path and query in origin form (RFC 9112 §3.2.1); `/` if the URL has neither; never a fragment.
    public let target: String
    /// The value of the `Host` field (RFC 9112 §3.2): the host, in brackets if it is an IPv6 address and without its zone, and
    /// the port unless it is the default of the scheme.
    package let hostField: String
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
        package init(user: String, password: String?) {
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
    /// - Throws: `RequestFailure.relativeURL` if it has no scheme and no host, `RequestFailure.missingScheme` if it has only a host,
    ///   `RequestFailure.unsupportedScheme` if it has another one,
    ///   `RequestFailure.missingHost`, `RequestFailure.malformedHost`,
    ///   `RequestFailure.malformedPort` or `RequestFailure.malformedTarget` for its other
    ///   parts; nothing else.
    /// - Complexity: O(*n*) in the length of the URL.
    public init(_ url: URL) throws(RequestFailure) {
        try self.init(text: url.absoluteString)
    }

    /// Reads the text of a URL.
    init(text: String) throws(RequestFailure) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(RequestFailure) -> Destination in try DestinationParser.parse(bytes.span) }
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
    package var path: Substring { self.target.prefix { $0 != "?" } }
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
