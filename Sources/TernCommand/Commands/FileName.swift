// SPDX-License-Identifier: Apache-2.0
import Tern

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
