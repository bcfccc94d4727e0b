// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFiles

/// Chooses the name of a downloaded file.
enum FileName {
    /// `NAME_MAX` of all common file systems.
    private static let maximumByteCount = 255
    /// How long an extension may be that is kept, with its dot.
    private static let maximumEndingByteCount = 32

    /// The last component of a URL's path, as the name of a file in the current directory.
    ///
    /// Percent-encoding is undone. What must not be in a name, such as an encoded slash or a control character, becomes
    /// an underscore, so that the file is always in the directory it is meant for; so does what turns text around, which
    /// would show another extension than there is. A name that is too long is cut before its extension.
    ///
    /// - Parameter url: the URL that was asked for.
    /// - Returns: a name; `nil` if the path names no file, as `/` or `/photos/`.
    static func suggested(by url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let authority = path.firstRange(of: "://") else { return nil }
        let components = path[authority.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
        guard components.count > 1, let last = components.last else { return nil }
        let name = String(String.UnicodeScalarView(Self.decode(last).unicodeScalars.map(Self.harmless)))
        return name.isEmpty || name == "." || name == ".." ? nil : Self.cut(name)
    }

    /// The name that a response gives its body, in `Content-Disposition: attachment; filename="dog.jpg"` (RFC 6266).
    ///
    /// Only the last component of a path counts, and what must not be in a name becomes an underscore: the server chooses
    /// the name, and must not choose the folder.
    ///
    /// - Parameter disposition: The value of the field.
    /// - Returns: A name; `nil` if there is none that can be used.
    static func suggested(byDisposition disposition: String) -> String? {
        var plain: String?
        var extended: String?
        for parameter in Self.parameters(of: disposition) {
            switch parameter.name.lowercased() {
            case "filename": plain = plain ?? parameter.value
            case "filename*":
                // "filename*=UTF-8''%e2%82%ac.txt" (RFC 8187 §3.2).
                let parts = parameter.value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3, parts[0].lowercased() == "utf-8" { extended = extended ?? Self.decode(parts[2]) }
            default: break
            }
        }
        guard let name = extended ?? plain else { return nil }
        let last = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        let harmless = String(String.UnicodeScalarView(last.unicodeScalars.map(Self.harmless)))
        // A name with a dot in front would be a hidden file, such as the settings of a shell.
        let visible = String(harmless.drop { $0 == "." || $0 == " " })
        return visible.isEmpty ? nil : Self.cut(visible)
    }

    /// The parameters behind the first semicolon; a value may be quoted.
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

    /// The name, as much of it as a disk takes.
    private static func cut(_ name: String) -> String {
        guard name.utf8.count > Self.maximumByteCount else { return name }
        let ending = name.lastIndex(of: ".").map { name[$0...] } ?? ""
        let kept = ending.utf8.count <= Self.maximumEndingByteCount ? ending : ""
        return name.prefix(utf8Count: Self.maximumByteCount - kept.utf8.count) + kept
    }

    /// Undoes percent-encoding (RFC 3986 §2.1); a percent sign that begins no byte stays as it is.
    private static func decode(_ text: Substring) -> String {
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
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "/" || TerminalText.isHarmful(scalar) ? "_" : scalar
    }
}

extension String {
    /// The text without spaces and tabs around it.
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(self.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
