// SPDX-License-Identifier: Apache-2.0

/// Chooses the name of a downloaded file.
enum FileName {
    /// The last component of a URL's path, as the name of a file in the current directory.
    ///
    /// Percent-encoding is undone. What must not be in a name, such as an encoded slash or a control character, becomes
    /// an underscore, so that the file is always in the directory it is meant for.
    ///
    /// - Parameter url: the URL that was asked for.
    /// - Returns: a name; `nil` if the path names no file, as `/` or `/photos/`.
    static func suggested(by url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let authority = path.firstRange(of: "://") else { return nil }
        let components = path[authority.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
        guard components.count > 1, let last = components.last else { return nil }
        let name = String(String.UnicodeScalarView(Self.decode(last).unicodeScalars.map(Self.harmless)))
        return name.isEmpty || name == "." || name == ".." ? nil : name
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
        scalar == "/" || scalar.properties.generalCategory == .control ? "_" : scalar
    }
}
