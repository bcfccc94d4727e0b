// SPDX-License-Identifier: Apache-2.0

/// Why a cookie is not taken; each case is a rule of RFC 6265bis.
///
/// To an application it is no error: "the user agent MAY ignore" is what a server gets for such a cookie. It is for those
/// who make cookies themselves, for tests, and for tools that show what happened.
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
