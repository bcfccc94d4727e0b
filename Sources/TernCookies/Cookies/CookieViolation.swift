// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a cookie is not taken; each case is a rule of RFC 6265bis.
///
/// To an application it is no error: "the user agent MAY ignore" is what a server gets for such a cookie. It is for those
/// who make cookies themselves, for tests, and for tools that show what happened.
@nonexhaustive
public enum CookieViolation: Error, Hashable, Sendable {
    /// It has neither a name nor a value.
    case empty
    /// There is a control character in it; what one program ends there, another does not.
    case controlCharacter
    /// Name and value are longer than 4096 bytes together, or the path is longer than 1024.
    case tooLong
    /// It was made by hand, and its name or value has a character that would end it: `;`, an `=` in the name, white space
    /// at an end.
    case separator
    /// Its `Domain` is not ASCII, or no name in lower case.
    case malformedDomain
    /// Its path does not begin with a slash.
    case malformedPath
    /// It is for all of a registry, such as `co.uk`.
    case publicSuffix
    /// It is for a domain that the server is not in.
    case foreignDomain
    /// It is `Secure`, and came over plain HTTP.
    case insecure
    /// It came over plain HTTP and would stand before one that is `Secure`.
    case overlaysSecure
    /// It has `SameSite`, and came with a request from another site.
    case crossSite
    /// It has `SameSite=None` and is not `Secure`.
    case insecureCrossSite
    /// Its name begins with `__Secure-` and it is not `Secure`.
    case securePrefix
    /// Its name begins with `__Host-` and it is not `Secure`, has a `Domain`, or has another path than `/`.
    case hostPrefix
    /// It has no name, and its value would be taken for a name that begins with `__Secure-` or `__Host-`.
    case disguisedPrefix

    /// The section of the rule.
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

extension CookieViolation: CustomStringConvertible {
    /// What is wrong, in a few words; never what is in the cookie.
    public var description: String {
        switch self {
        case .empty: "The cookie has neither a name nor a value."
        case .controlCharacter: "The cookie has a control character."
        case .tooLong: "Name and value of the cookie have more than 4096 bytes, or its path more than 1024."
        case .separator: "Name or value of the cookie has a character that would end it."
        case .malformedDomain: "The domain of the cookie is no name in ASCII."
        case .malformedPath: "The path of the cookie does not begin with a slash."
        case .publicSuffix: "The domain of the cookie is a public suffix."
        case .foreignDomain: "The server is not in the domain of the cookie."
        case .insecure: "The cookie is Secure and came over plain HTTP."
        case .overlaysSecure: "The cookie came over plain HTTP and would hide one that is Secure."
        case .crossSite: "The cookie has SameSite and came with a request from another site."
        case .insecureCrossSite: "The cookie has SameSite=None and is not Secure."
        case .securePrefix: "The cookie is named __Secure- and is not Secure."
        case .hostPrefix: "The cookie is named __Host- and is not for one host by HTTPS."
        case .disguisedPrefix: "The cookie has no name and looks like one named __Secure- or __Host-."
        }
    }
}

extension CookieViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.description }
}

extension Cookie {
    /// Checks what a cookie that a server sent cannot be otherwise.
    func validate() throws(CookieViolation) {
        try Self.checkContent(self.nameBytes, self.valueBytes)
        guard !Self.hasSeparator(self.nameBytes), !self.nameBytes.contains(UInt8(ascii: "=")),
            !Self.hasSeparator(self.valueBytes)
        else { throw .separator }
        try self.checkPlace()
        try self.checkPrefixes(hasRootPath: self.path == "/")
    }

    /// What holds for host and path wherever they come from, also where they are those of the request: what is kept can
    /// be read again.
    func checkPlace() throws(CookieViolation) {
        guard Self.isDomain(self.domain) else { throw .malformedDomain }
        guard self.path.utf8.first == UInt8(ascii: "/") else { throw .malformedPath }
        guard self.path.utf8.count <= SetCookieParser.maximumAttributeByteCount else { throw .tooLong }
        guard !self.path.utf8.contains(where: \.isControl) else { throw .malformedPath }
    }

    /// The steps 2 to 4 of RFC 6265bis §5.7.
    static func checkContent(_ name: [UInt8], _ value: [UInt8]) throws(CookieViolation) {
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard !name.contains(where: \.isControl), !value.contains(where: \.isControl) else { throw .controlCharacter }
        guard name.count + value.count <= SetCookieParser.maximumPairByteCount else { throw .tooLong }
    }

    /// What the names promise (RFC 6265bis §5.4; §5.7, steps 20 to 22), in any case of their letters.
    ///
    /// - Parameter hasRootPath: whether the path is `/`, and the server said so.
    /// - Throws: ``CookieViolation/securePrefix``, `hostPrefix` or `disguisedPrefix`.
    func checkPrefixes(hasRootPath: Bool) throws(CookieViolation) {
        if self.nameBytes.hasPrefix(ignoringCase: "__secure-"), !self.isSecure { throw .securePrefix }
        if self.nameBytes.hasPrefix(ignoringCase: "__host-") {
            guard self.isSecure, self.isHostOnly, hasRootPath else { throw .hostPrefix }
        }
        guard self.nameBytes.isEmpty else { return }
        // It is sent as its value alone, which a server would read as a name.
        let isDisguised =
            self.valueBytes.hasPrefix(ignoringCase: "__secure-") || self.valueBytes.hasPrefix(ignoringCase: "__host-")
        if isDisguised { throw .disguisedPrefix }
    }

    private static func hasSeparator(_ bytes: [UInt8]) -> Bool {
        bytes.contains(UInt8(ascii: ";")) || bytes.first?.isWhitespace == true || bytes.last?.isWhitespace == true
    }

    /// A name or an address as hosts are written in requests.
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
