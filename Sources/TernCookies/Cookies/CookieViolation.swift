// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that a cookie is not accepted.
///
/// The client ignores such a cookie of a server, and throws no error for it.
@nonexhaustive
public enum CookieViolation: Error, Hashable, Sendable {
    /// The cookie has neither a name nor a value.
    case empty
    /// The name, the value or the whole `Set-Cookie` field contains a control character other than a tab.
    case controlCharacter
    /// The name and value together are longer than 4096 bytes, or the path is longer than 1024 bytes.
    case tooLong
    /// The application created a cookie with a name or a value that a parser would not read as a whole.
    ///
    /// The name or the value contains a `;`, or begins or ends with a space or a tab. Or the name contains an `=`. Or the cookie
    /// has no name, and its value contains an `=`.
    case separator
    /// The domain is not a host in lower case and ASCII, or is longer than 255 bytes.
    case malformedDomain
    /// The path does not begin with a slash, or contains a control character other than a tab, or a `;` that the application wrote.
    case malformedPath
    /// The cookie is for all domains under a public suffix, such as `co.uk`.
    case publicSuffix
    /// The cookie is for a domain that does not include the server.
    case foreignDomain
    /// The cookie is `Secure`, but came over plain HTTP.
    case insecure
    /// The cookie came over plain HTTP, and would hide a `Secure` cookie of the same name.
    case overlaysSecure
    /// A page of another site caused the request, but not by a navigation, and the cookie does not have `SameSite=None`.
    case crossSite
    /// The cookie has `SameSite=None`, but is not `Secure`.
    case insecureCrossSite
    /// The name begins with `__Secure-`, in any letter case, but the cookie is not `Secure`.
    case securePrefix
    /// The name begins with `__Host-`, in any letter case, but the cookie does not meet all requirements of this prefix:
    /// `Secure`, for the host alone, and `Path=/`.
    case hostPrefix
    /// The cookie has no name, and its value could be read as a name that begins with `__Secure-` or `__Host-`.
    case disguisedPrefix

    /// The document and the section to which the rule belongs, such as `RFC 6265bis §5.7`.
    public var section: String {
        switch self {
        case .controlCharacter, .tooLong: "RFC 6265bis §5.6"
        case .separator: "RFC 6265bis §4.1.1"
        case .malformedPath: "RFC 6265bis §5.1.4"
        case .securePrefix, .hostPrefix, .disguisedPrefix: "RFC 6265bis §5.4"
        default: "RFC 6265bis §5.7"
        }
    }
}

extension CookieViolation: CustomStringConvertible, Described {
    /// A sentence that says what is wrong, without the content of the cookie.
    package var wording: String {
        switch self {
        case .empty: "The cookie has neither a name nor a value."
        case .controlCharacter: "The cookie contains a control character."
        case .tooLong:
            "The cookie's name and value together are longer than 4096 bytes, or its path is longer than 1024 bytes."
        case .separator:
            "The cookie's name or value begins or ends with white space, or contains a semicolon or an equals sign "
                + "that is not allowed there."
        case .malformedDomain: "The cookie's domain is not a valid name in lower-case ASCII."
        case .malformedPath:
            "The cookie's path does not begin with a slash, or contains a semicolon or a control character."
        case .publicSuffix: "The cookie's domain is a public suffix, such as co.uk, which many sites share."
        case .foreignDomain: "The server does not belong to the cookie's domain."
        case .insecure: "The cookie is Secure but came over plain HTTP."
        case .overlaysSecure: "The cookie came over plain HTTP and would hide a Secure cookie."
        case .crossSite: "The cookie is limited to its own site, but another site caused the request."
        case .insecureCrossSite: "The cookie has SameSite=None but is not Secure."
        case .securePrefix: "The cookie's name begins with __Secure- but the cookie is not Secure."
        case .hostPrefix: "A cookie with the prefix __Host- must be Secure, have Path=/ and have no Domain."
        case .disguisedPrefix: "The cookie has no name, and its value begins with __Secure- or __Host-."
        }
    }
}

extension CookieViolation: LocalizedError, Explained {
    package var sentence: String { self.wording }
}

extension Cookie {
    func validate() throws(CookieViolation) {
        try Self.checkContent(self.nameBytes, self.valueBytes)
        guard !Self.hasSeparator(self.nameBytes), !self.nameBytes.contains(UInt8(ascii: "=")),
            !Self.hasSeparator(self.valueBytes)
        else { throw .separator }
        try self.checkPlace()
        try self.checkPrefixes(hasRootPath: self.path == "/")
    }

    /// Checks the domain and the path even if they come from the request, so that a stored cookie can be read again.
    func checkPlace() throws(CookieViolation) {
        guard Self.isDomain(self.domain) else { throw .malformedDomain }
        guard self.path.utf8.first == UInt8(ascii: "/") else { throw .malformedPath }
        guard self.path.utf8.count <= SetCookieParser.maximumAttributeByteCount else { throw .tooLong }
        guard !self.path.utf8.contains(where: \.isControl) else { throw .malformedPath }
    }

    /// Checks the content, as in steps 2 to 4 of RFC 6265bis §5.7.
    static func checkContent(_ name: [UInt8], _ value: [UInt8]) throws(CookieViolation) {
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard !name.contains(where: \.isControl), !value.contains(where: \.isControl) else { throw .controlCharacter }
        guard name.count + value.count <= SetCookieParser.maximumPairByteCount else { throw .tooLong }
    }

    /// Checks the prefixes `__Secure-` and `__Host-`, in any letter case (RFC 6265bis §5.4; §5.7, steps 20 to 22).
    func checkPrefixes(hasRootPath: Bool) throws(CookieViolation) {
        if self.nameBytes.hasPrefix(ignoringCase: "__secure-"), !self.isSecure { throw .securePrefix }
        if self.nameBytes.hasPrefix(ignoringCase: "__host-") {
            guard self.isSecure, self.isHostOnly, hasRootPath else { throw .hostPrefix }
        }
        guard self.nameBytes.isEmpty else { return }
        // If the name is empty, the client sends only the value, and a server could read a name in the value.
        let isDisguised =
            self.valueBytes.hasPrefix(ignoringCase: "__secure-") || self.valueBytes.hasPrefix(ignoringCase: "__host-")
        if isDisguised { throw .disguisedPrefix }
    }

    private static func hasSeparator(_ bytes: [UInt8]) -> Bool {
        bytes.contains(UInt8(ascii: ";")) || bytes.first?.isWhitespace == true || bytes.last?.isWhitespace == true
    }

    private static func isDomain(_ domain: String) -> Bool {
        guard let first = domain.utf8.first, first != UInt8(ascii: "."), domain.utf8.count <= 255 else { return false }
        return domain.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x3A: true
            default: false
            }
        }
    }
}
