// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFiles

enum FileName {
    /// `NAME_MAX` of common file systems.
    private static let maximumByteCount = 255
    private static let maximumEndingByteCount = 32

    /// Decodes the last component of a path; underscores replace slashes and control characters, which could lead to another
    /// directory, and characters that reverse text, which could disguise the extension.
    static func suggested(by url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let authority = path.firstRange(of: "://") else { return nil }
        let components = path[authority.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
        guard components.count > 1, let last = components.last else { return nil }
        let name = String(String.UnicodeScalarView(Self.decode(last).unicodeScalars.map(Self.sanitized)))
        return name.isEmpty || name == "." || name == ".." ? nil : Self.cut(name)
    }

    /// Returns the last component of the name in `Content-Disposition` (RFC 6266): the server must not choose the folder.
    static func suggested(byDisposition disposition: String) -> String? {
        var plain: String?
        var extended: String?
        for parameter in Self.parameters(of: disposition) {
            switch parameter.name.lowercased() {
            case "filename": plain = plain ?? parameter.value
            case "filename*":
                extended = extended ?? Self.extendedValue(parameter.value)
            default: break
            }
        }
        guard let name = extended ?? plain else { return nil }
        let last = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        let sanitized = String(String.UnicodeScalarView(last.unicodeScalars.map(Self.sanitized)))
        // A name with a leading dot would be a hidden file, such as the settings of a shell.
        let visible = String(sanitized.drop { $0 == "." || $0 == " " })
        return visible.isEmpty ? nil : Self.cut(visible)
    }

    /// Decodes `UTF-8''%e2%82%ac.txt` (RFC 8187 §3.2), also in ISO-8859-1 as in RFC 5987, which some servers still use.
    private static func extendedValue(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = Self.bytes(parts[2])
        switch parts[0].lowercased() {
        case "utf-8": return String(decoding: bytes, as: UTF8.self)
        // Each byte is the number of its character. The value itself is in ASCII.
        case "iso-8859-1" where parts[2].utf8.allSatisfy({ $0 < 0x80 }):
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    private static func parameters(of value: String) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        var rest = value.drop { $0 != ";" }
        while rest.popFirst() != nil {
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            var text = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.popFirst(), character != "\"" {
                    if character == "\\", let next = rest.popFirst() {
                        text.append(next)
                    } else {
                        text.append(character)
                    }
                }
                rest = rest.drop { $0 != ";" }
            } else {
                text = String(rest.prefix { $0 != ";" }).trimmed
                rest = rest.drop { $0 != ";" }
            }
            parameters.append((String(name).trimmed, text))
        }
        return parameters
    }

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > Self.maximumByteCount else { return name }
        let ending = name.lastIndex(of: ".").map { name[$0...] } ?? ""
        let kept = ending.utf8.count <= Self.maximumEndingByteCount ? ending : ""
        return name.prefix(utf8Count: Self.maximumByteCount - kept.utf8.count) + kept
    }

    /// Removes percent-encoding (RFC 3986 §2.1); a percent sign that does not begin an encoded byte stays.
    private static func decode(_ text: Substring) -> String { String(decoding: Self.bytes(text), as: UTF8.self) }

    private static func bytes(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let first = rest.popFirst() {
            let digits = rest.prefix(2)
            if first == "%", digits.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(contentsOf: first.utf8)
            }
        }
        return bytes
    }

    private static func sanitized(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "/" || TerminalText.isHarmful(scalar) ? "_" : scalar
    }
}

extension String {
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(self.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
