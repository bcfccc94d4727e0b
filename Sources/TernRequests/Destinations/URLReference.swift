// SPDX-License-Identifier: Apache-2.0
package import TernErrors
package import TernFoundation

/// The text of a URL, or of a reference to one (RFC 3986 §4.1), in a form that `URL` accepts without changing it.
///
/// If a component has a character that is not allowed, `URL(string:)` encodes the whole component, including the
/// percent signs of its percent-encodings: `?f[n]=a%20b` becomes `?f%5Bn%5D=a%2520b`. But "Implementations must not
/// percent-encode or decode the same string more than once, as decoding an already decoded string might lead to
/// misinterpreting a percent data octet as the beginning of a percent-encoding, or vice versa" (§2.4). Every text
/// therefore becomes a URL through this type:
///
/// - White space around the text is removed (Appendix C).
/// - A percent-encoding, `%` with two hexadecimal digits, stays unchanged.
/// - Any other `%`, and each byte that its component does not allow, is percent-encoded once.
/// - The host is never encoded. A character that no host may have is refused in the host, and a backslash and a second
///   `@` are refused anywhere before the path, because parsers interpret them in different ways.
package struct URLReference: Hashable, Sendable {
    /// The text.
    ///
    /// It is ASCII, except perhaps in the host.
    package let text: String

    /// Creates a reference from text.
    ///
    /// - Parameter text: An absolute URL or a relative reference.
    /// - Throws: `RequestFailure.emptyURL` if the text is empty or only white space, `RequestFailure.malformedHost` if
    ///   the part before the path contains characters that are not allowed.
    /// - Complexity: O(*n*) in the length of the text.
    package init(_ text: String) throws(RequestFailure) {
        var copy = text
        let isPlain = !text.isEmpty && copy.withUTF8 { Self.isPlain($0) }
        self.text = isPlain ? text : try Self.normalized(Array(text.utf8))
    }

    /// Creates a reference from bytes, such as a field's value, which need not be UTF-8.
    ///
    /// Outside the host, each byte that is not ASCII is percent-encoded.
    package init(bytes: [UInt8]) throws(RequestFailure) { self.text = try Self.normalized(bytes) }

    private static func normalized(_ bytes: [UInt8]) throws(RequestFailure) -> String {
        var rest = bytes[...].drop(while: \.isURLSpace)
        while rest.last?.isURLSpace == true { rest.removeLast() }
        guard !rest.isEmpty else { throw .emptyURL }
        var output: [UInt8] = []
        output.reserveCapacity(rest.count + 16)
        let scheme = self.scheme(of: rest)
        output += scheme
        rest = rest[scheme.endIndex...]
        if rest.starts(with: "//".utf8) {
            // "The authority component is preceded by a double slash ("//") and is terminated by the next slash ("/"),
            // question mark ("?"), or number sign ("#") character, or by the end of the URI" (§3.2).
            let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
            output += "//".utf8
            try self.append(authority: authority, to: &output)
            rest = rest[authority.endIndex...]
        }
        let target = rest.prefix { $0 != UInt8(ascii: "#") }
        self.append(target: target, to: &output)
        rest = rest[target.endIndex...]
        if rest.first == UInt8(ascii: "#") {
            output.append(UInt8(ascii: "#"))
            self.append(rest.dropFirst(), to: &output) { $0.isPathByte || $0 == UInt8(ascii: "?") }
        }
        let text = String(decoding: output, as: UTF8.self)
        // At this point, only a host can contain bytes that are not ASCII.
        guard text.utf8.elementsEqual(output) else { throw .malformedHost }
        return text
    }

    /// Returns the URL.
    ///
    /// - Parameter base: The URL to resolve a relative reference against. Defaults to `nil`, which leaves the URL
    ///   relative.
    /// - Returns: The URL, whose text is ``text``.
    /// - Throws: `RequestFailure.missingScheme` if the text begins with an address and a port, and
    ///   `RequestFailure.malformedURL` if it is not a URL for another reason.
    package func url(relativeTo base: URL? = nil) throws(RequestFailure) -> URL {
        guard let url = URL(string: self.text, relativeTo: base) else {
            throw self.beginsWithHost ? .missingScheme : .malformedURL
        }
        return url
    }

    /// Whether the text begins with a host and a port, such as `127.0.0.1:8080`, or with an IPv6 address in brackets.
    ///
    /// Such a text is not a reference: "A path segment that contains a colon character […] cannot be used as the first
    /// segment of a relative-path reference" (§4.2). Nor is it a scheme, which begins with a letter.
    private var beginsWithHost: Bool {
        let start = self.text.utf8.prefix { !"/?#".utf8.contains($0) }
        guard let colon = start.lastIndex(of: UInt8(ascii: ":")), start.first?.isLetter != true else { return false }
        let port = start[start.index(after: colon)...]
        return start.starts(with: "%5B".utf8) || !port.isEmpty && port.allSatisfy(\.isDigit)
    }

    // MARK: Parts

    /// Returns whether a text certainly needs no change, as is the case for nearly all texts.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var (signs, fragments, index) = (0, 0, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                guard self.isEscape(bytes[index...]) else { return false }
                index += 2
            case UInt8(ascii: "@"): signs += 1
            case UInt8(ascii: "#"): fragments += 1
            case UInt8(ascii: "?"): break
            case let byte where byte.isPathByte: break
            default: return false
            }
            index += 1
        }
        return signs < 2 && fragments < 2
    }

    /// Appends a path, and a query with its question mark if there is one.
    static func append(target: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        self.append(path, to: &output) { $0.isPathByte }
        self.append(target[path.endIndex...], to: &output) { $0.isPathByte || $0 == UInt8(ascii: "?") }
    }

    /// Returns the scheme with its colon; empty if there is none (§3.1).
    static func scheme(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let name = bytes.prefix(while: \.isSchemeByte)
        guard name.first?.isLetter == true, name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ":")
        else { return bytes.prefix(0) }
        return bytes[...name.endIndex]
    }

    private static func append(authority: ArraySlice<UInt8>, to output: inout [UInt8]) throws(RequestFailure) {
        // Browsers read a backslash as a slash, which ends the authority; other parsers read it as part of the user. If
        // one of them checks the host and the other connects, they use different hosts.
        guard !authority.contains(UInt8(ascii: "\\")) else { throw .malformedHost }
        let parts = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.last else { throw .malformedHost }
        if parts.count == 2 {
            self.append(parts[0], to: &output) { $0.isUnreserved || $0.isSubDelimiter || $0 == UInt8(ascii: ":") }
            output.append(UInt8(ascii: "@"))
        }
        // Refuse what `URL` would encode or split in its own way: brackets that do not enclose an address, and every
        // percent-encoding in an address except "%25". `URL` would encode the others again.
        let isLiteral = host.first == UInt8(ascii: "[")
        let brackets = host.filter { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        guard brackets.elementsEqual((isLiteral ? "[]" : "").utf8) else { throw .malformedHost }
        let address = isLiteral ? host.prefix { $0 != UInt8(ascii: "]") } : host.prefix { $0 != UInt8(ascii: ":") }
        for index in host.indices {
            switch host[index] {
            case UInt8(ascii: "%"):
                guard self.isEscape(host[index...]), !isLiteral || host[index...].starts(with: "%25".utf8) else {
                    throw .malformedHost
                }
            case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): break
            case let byte where byte.isUnreserved || byte.isSubDelimiter: break
            case 0x80... where index < address.endIndex: break  // a name in another script; a port has only digits
            default: throw .malformedHost
            }
        }
        output += host
    }

    private static func append(
        _ component: ArraySlice<UInt8>,
        to output: inout [UInt8],
        as isAllowed: (UInt8) -> Bool
    ) {
        for index in component.indices {
            let byte = component[index]
            if isAllowed(byte) || byte == UInt8(ascii: "%") && self.isEscape(component[index...]) {
                output.append(byte)
            } else {
                PercentEncoding.append(byte, to: &output)
            }
        }
    }

    /// Returns whether the bytes begin with a complete percent-encoded octet.
    ///
    /// "A percent-encoded octet is encoded as a character triplet, consisting of the percent character "%" followed by
    /// the two hexadecimal digits representing that octet's numeric value" (§2.1).
    private static func isEscape(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        let triplet = bytes.prefix(3)
        return triplet.count == 3 && triplet.dropFirst().allSatisfy(\.isHexDigit)
    }
}

extension UInt8 {
    /// Whether the byte is white space that may surround a URL in a text or a list: a space, a tab, or a line ending.
    var isURLSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

    /// `sub-delims` (RFC 3986 §2.2).
    fileprivate var isSubDelimiter: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Whether a path may contain the byte (RFC 3986 §3.3): `pchar` without percent-encodings, and the slash.
    fileprivate var isPathByte: Bool {
        self.isUnreserved || self.isSubDelimiter || self == UInt8(ascii: ":") || self == UInt8(ascii: "@")
            || self == UInt8(ascii: "/")
    }
}
