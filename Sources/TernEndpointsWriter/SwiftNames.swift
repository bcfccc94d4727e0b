// SPDX-License-Identifier: Apache-2.0

enum SwiftNames {
    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
    /// The types that the generated code uses, and that the generated type must not hide.
    private static let takenTypes: Set<String> = [
        "Request", "Client", "ClientError", "Data", "URL", "String", "Int", "Int32", "Int64", "UInt", "Double", "Bool",
        "Void", "ResponseBytes", "WebSocket", "WebSocketOptions", "TaskDelegate", "Mirror", "Any", "Self", "Type",
        "Protocol", "Sendable", "CustomStringConvertible", "CustomReflectable", "EventStream", "EventStreamOptions",
        "ReconnectingEventStream", "EventReconnectionPolicy", "DecodedEvents", "DecodedRecords",
    ]

    static func escaped(_ name: String) -> String { self.keywords.contains(name) ? "`\(name)`" : name }

    /// Returns `PhotoAlbum` for `photo-album.http`; `nil` if the result is no valid type name, or one that the generated code uses.
    static func typeName(forFile fileName: String) -> String? {
        let base = fileName.prefix { $0 != "." }
        let isWordByte: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard base.allSatisfy({ isWordByte($0) || "- ".contains($0) }) else { return nil }
        let words = base.split { $0 == "-" || $0 == " " }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        guard let first = name.first, first.isLetter || first == "_", name != "_" else { return nil }
        return self.takenTypes.contains(name) ? nil : name
    }

    /// Returns text, escaped for a string literal on one line, without the quotes.
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

    /// Returns text, escaped for a multi-line string literal, where one or two quotes in a row need no escape.
    static func lines(_ text: String) -> String {
        // Use Unicode scalars, as the compiler does: a quote and a combining mark after it are one `Character`.
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

    /// Returns whether text contains a control character; such a character may end a line, and so a comment with the text.
    static func endsLine(_ text: String) -> Bool { text.unicodeScalars.contains(where: Self.isControl) }

    private static func append(_ scalar: Unicode.Scalar, to output: inout String) {
        if Self.isControl(scalar) {
            output += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            output.unicodeScalars.append(scalar)
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }
}

/// Formats comments of a request file as documentation comments.
enum DocumentationText {
    /// Returns the lines of a comment, with the title, or else the first line if it is a whole sentence, as a separate paragraph.
    static func lines(title: String?, _ text: [String]) -> [String] {
        var rest = text[...]
        while rest.first?.isEmpty == true { rest.removeFirst() }
        while rest.last?.isEmpty == true { rest.removeLast() }
        let first = title ?? rest.popFirst() ?? ""
        if title == nil {
            // Keep a sentence of several lines together.
            guard self.isSentence(first) || rest.isEmpty || rest.first?.isEmpty == true else {
                return ([first] + rest).map(self.line)
            }
        }
        while rest.first?.isEmpty == true { rest.removeFirst() }
        let summary = self.isSentence(first) ? first : "\(first)."
        return [self.line(summary)] + (rest.isEmpty ? [] : ["///"]) + rest.map(self.line)
    }

    static func clause(_ text: String) -> String { self.isSentence(text) ? text : "\(text)." }

    private static func isSentence(_ text: String) -> Bool { text.last.map { ".!?:".contains($0) } ?? false }

    private static func line(_ text: String) -> String { text.isEmpty ? "///" : "/// \(text)" }
}
