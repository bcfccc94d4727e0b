// SPDX-License-Identifier: Apache-2.0

/// Names and literals as Swift writes them.
enum SwiftNames {
    /// Names that are written in backticks.
    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
    /// Types that the generated code needs, and a file must not hide.
    private static let takenTypes: Set<String> = [
        "Request", "Client", "ClientError", "Data", "URL", "String", "Int", "Int32", "Int64", "UInt", "Double", "Bool",
        "Void", "ResponseBytes", "WebSocket", "WebSocketOptions", "TaskDelegate", "Mirror", "Any", "Self", "Type",
        "Protocol", "Sendable", "CustomStringConvertible", "CustomReflectable",
    ]

    /// A name as it stands in code.
    static func escaped(_ name: String) -> String { self.keywords.contains(name) ? "`\(name)`" : name }

    /// The type that a file gives: `photo-album.http` gives `PhotoAlbum`; `nil` if that is no name of a type.
    static func typeName(forFile fileName: String) -> String? {
        let base = fileName.prefix { $0 != "." }
        let isWordByte: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard base.allSatisfy({ isWordByte($0) || "- ".contains($0) }) else { return nil }
        let words = base.split { $0 == "-" || $0 == " " }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        guard let first = name.first, first.isLetter || first == "_", name != "_" else { return nil }
        return self.takenTypes.contains(name) ? nil : name
    }

    /// Text within the quotes of a literal.
    static func literal(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": output += "\\\\"
            case "\"": output += "\\\""
            case "\t": output += "\\t"
            case "\n": output += "\\n"
            default: self.append(scalar, to: &output)
            }
        }
        return output
    }

    /// Text within a literal of several lines, in which one or two quotes stay as they are.
    static func lines(_ text: String) -> String {
        // By scalars, as the compiler reads: a quote and a combining mark behind it are one `Character`.
        var output = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            let quotes = rest.prefix { $0 == "\"" }
            rest = rest.dropFirst(max(1, quotes.count))
            switch scalar {
            case "\"": output += String(repeating: quotes.count < 3 ? "\"" : "\\\"", count: quotes.count)
            case "\\": output += "\\\\"
            case "\n", "\t": output.unicodeScalars.append(scalar)
            default: self.append(scalar, to: &output)
            }
        }
        return output
    }

    /// Whether text has something in it that may end a line, and with it the comment that the text is written in.
    static func endsLine(_ text: String) -> Bool { text.unicodeScalars.contains(where: Self.isControl) }

    /// A scalar that means nothing in a literal, or, if it would end a line or is none that an editor shows, its number.
    private static func append(_ scalar: Unicode.Scalar, to output: inout String) {
        if Self.isControl(scalar) {
            output += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            output.unicodeScalars.append(scalar)
        }
    }

    /// Whether a scalar is a control character, or one of Unicode's ends of a line and a paragraph.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }
}

/// Comments of a request file as documentation comments.
enum DocumentationText {
    /// The lines of a comment: the first sentence stands on its own.
    ///
    /// - Parameters:
    ///   - title: what follows `###`; `nil` if there is none, and the first line of the text is the title.
    ///   - text: the comments.
    /// - Returns: the lines, each with its slashes.
    static func lines(title: String?, _ text: [String]) -> [String] {
        var rest = text[...]
        while rest.first?.isEmpty == true { rest.removeFirst() }
        while rest.last?.isEmpty == true { rest.removeLast() }
        let first = title ?? rest.popFirst() ?? ""
        if title == nil {
            // A sentence that goes over several lines is kept together.
            guard self.isSentence(first) || rest.isEmpty || rest.first?.isEmpty == true else {
                return ([first] + rest).map(self.line)
            }
        }
        while rest.first?.isEmpty == true { rest.removeFirst() }
        let summary = self.isSentence(first) ? first : "\(first)."
        return [self.line(summary)] + (rest.isEmpty ? [] : ["///"]) + rest.map(self.line)
    }

    /// A sentence that begins in lower case, without a period.
    static func clause(_ text: String) -> String { self.isSentence(text) ? text : "\(text)." }

    private static func isSentence(_ text: String) -> Bool { text.last.map { ".!?:".contains($0) } ?? false }

    private static func line(_ text: String) -> String { text.isEmpty ? "///" : "/// \(text)" }
}
