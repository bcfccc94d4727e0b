// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
public import TernValues

/// The destination that a URL names: the host to connect to, and the target for the head of the request.
///
/// The parser refuses hosts such as `127.1`, which parsers read in different ways, so that the client connects to the same host
/// that other code, such as the app, has checked.
public struct Destination: Hashable, Sendable {
    /// The server to connect to.
    public let origin: Origin
    /// The path and query in origin form (RFC 9112 §3.2.1), without a fragment; `/` if the URL has neither.
    public let target: String
    /// The value of the `Host` field (RFC 9112 §3.2), in which an IPv6 address has no zone.
    package let hostField: String
    /// The user name and password in the URL, which the client never sends as a part of the URL.
    public let userInfo: UserInfo?

    /// A user name and a password from a URL, percent-decoded.
    public struct UserInfo: Hashable, Sendable {
        /// The user name, which may be empty.
        public let user: String
        /// The password; `nil` if the URL has no colon after the user name.
        public let password: String?

        package init(user: String, password: String?) {
            self.user = user
            self.password = password
        }
    }

    /// Creates a destination from an absolute URL with the scheme `http` or `https`, without its fragment (RFC 9110 §7.1).
    ///
    /// `URL` itself is lenient: it percent-encodes characters that are not allowed. This initializer refuses a host name with an
    /// encoding, such as `exa%20mple.com`.
    ///
    /// - Throws: `RequestFailure.relativeURL` if the URL has no scheme and no host, `.missingScheme` if it has a host but no
    ///   scheme, and `.unsupportedScheme` if it has another scheme. For the other parts of the URL: `.missingHost`,
    ///   `.malformedHost`, `.malformedPort` or `.malformedTarget`.
    public init(_ url: URL) throws(RequestFailure) {
        try self.init(text: url.absoluteString)
    }

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

    package func requesting(_ target: String) -> Destination {
        Destination(origin: self.origin, target: target, hostField: self.hostField, userInfo: self.userInfo)
    }

    /// The target in absolute form, for a proxy that forwards the request (RFC 9112 §3.2.2).
    package var absoluteTarget: String { "\(self.origin.scheme.rawValue)://\(self.hostField)\(self.target)" }

    package var path: Substring { self.target.prefix { $0 != "?" } }
}

extension Destination: CustomStringConvertible, Described {
    /// The origin and the path, safe to log: without query and password.
    package var wording: String { "\(self.origin)\(self.path)" }
}

extension Destination.UserInfo: CustomStringConvertible, CustomReflectable, Described, PartlyShown {
    /// A mask, because a user name and a password do not belong in a log.
    package var wording: String { "***" }

    package var shownParts: KeyValuePairs<String, Any> { [:] }
}
