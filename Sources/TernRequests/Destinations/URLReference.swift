// SPDX-License-Identifier: Apache-2.0
package import TernErrors
package import TernFoundation

/// The text of a URL, or of a reference to one (RFC 3986 §4.1), in a form that `URL` accepts without changing it.
///
/// `URL(string:)` encodes a whole component again, against §2.4, if one of its characters is not allowed.
package struct URLReference: Hashable, Sendable {
    package let text: String

    package init(_ text: String) throws(RequestFailure) {
        var copy = text
        let isPlain = !text.isEmpty && copy.withUTF8 { Self.isPlain($0) }
        self.text = isPlain ? text : try Self.normalized(Array(text.utf8))
    }

    /// Creates a reference from bytes, such as a field's value; outside the host, those that are not ASCII are percent-encoded.
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

    package func url(relativeTo base: URL? = nil) throws(RequestFailure) -> URL {
        guard let url = URL(string: self.text, relativeTo: base) else {
            throw self.beginsWithHost ? .missingScheme : .malformedURL
        }
        return url
    }

    /// Whether the text begins with an address and a port, such as `127.0.0.1:8080`, or with an IPv6 address in brackets.
    private var beginsWithHost: Bool {
        let start = self.text.utf8.prefix { !"/?#".utf8.contains($0) }
        guard let colon = start.lastIndex(of: UInt8(ascii: ":")), start.first?.isLetter != true else { return false }
        let port = start[start.index(after: colon)...]
        return start.starts(with: "%5B".utf8) || !port.isEmpty && port.allSatisfy(\.isDigit)
    }

    // MARK: Parts

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

    static func append(target: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        self.append(path, to: &output) { $0.isPathByte }
        self.append(target[path.endIndex...], to: &output) { $0.isPathByte || $0 == UInt8(ascii: "?") }
    }

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
