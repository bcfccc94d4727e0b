// SPDX-License-Identifier: Apache-2.0

/// A file of options, in the syntax of curl's `--config`.
///
/// Each line has one option, and its value after spaces, a colon or an equals sign, perhaps in double quotes. A line that begins
/// with `#`, `/` or `*` is a comment.
struct ConfigurationFile: Equatable, Sendable {
    /// The maximum length of a file of `--config`, in bytes.
    ///
    /// Beyond it, the command ends with the exit code 64. The limit has room for some 50,000 URLs; curl has a limit for each line
    /// only.
    static let maximumByteCount = 4 << 20
    /// The maximum number of files that name each other, as in curl.
    static let maximumDepth = 5

    struct Line: Equatable, Sendable {
        let number: Int
        let option: String
        let value: String?
    }

    struct Problem: Error, Equatable {
        let line: Int
        /// The mistake, without text of the file, which may be secret.
        let reason: String
    }

    let lines: [Line]

    init(parsing bytes: some Collection<UInt8>) throws(Problem) {
        var lines: [Line] = []
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        // The elements of an array are faster to get than those of `Data`.
        let content = Array(bytes).dropFirst(bytes.starts(with: mark) ? mark.count : 0)
        let texts = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, text) in texts.enumerated() {
            if let line = try Self.line(text, index + 1) { lines.append(line) }
        }
        self.lines = lines
    }

    private static func line(_ bytes: some Collection<UInt8>, _ number: Int) throws(Problem) -> Line? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(line: number, reason: "the line is not UTF-8")
        }
        guard !bytes.contains(0) else { throw Problem(line: number, reason: "the line has a NUL byte") }
        var rest = text.unicodeScalars.drop(while: Self.isSpace)
        guard let first = rest.first, first != "#", first != "/", first != "*" else { return nil }
        let isDashed = first == "-"
        let isSeparator = { (scalar: Unicode.Scalar) in
            Self.isSpace(scalar) || !isDashed && (scalar == "=" || scalar == ":")
        }
        let name = rest.prefix { !isSeparator($0) }
        rest = rest[name.endIndex...].drop(while: isSeparator)
        let option = isDashed ? String(name) : "--\(String(name))"
        if rest.first == "\"" {
            guard let value = Self.unquoted(rest.dropFirst()) else {
                throw Problem(line: number, reason: "a double quote is not closed")
            }
            return Line(number: number, option: option, value: value)
        }
        let value = rest.prefix { !Self.isSpace($0) }
        let following = rest[value.endIndex...].drop(while: Self.isSpace)
        guard following.isEmpty || following.first == "#" else {
            throw Problem(line: number, reason: "a value with spaces must be in double quotes")
        }
        return Line(number: number, option: option, value: value.isEmpty ? nil : String(value))
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\r", "\n", "\u{B}", "\u{C}": true
        default: false
        }
    }

    /// As in curl, the text behind the closing quote does not count.
    private static func unquoted(_ text: Substring.UnicodeScalarView) -> String? {
        var value = String.UnicodeScalarView()
        var rest = text
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return String(value) }
            guard scalar == "\\" else {
                value.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "t"?: value.append("\t")
            case "n"?: value.append("\n")
            case "r"?: value.append("\r")
            case "v"?: value.append("\u{B}")
            case let other?: value.append(other)
            case nil: return nil
            }
        }
        return nil
    }
}
