// SPDX-License-Identifier: Apache-2.0
import Tern

/// A part of a form as typed for `-F`: `name=value`, `name=@file` or `name=<file`, with `;type=` and `;filename=`.
struct FormArgument: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case text(String)
        case file(String)
        /// A file, or standard input for `-`, whose content is the value of a field.
        case textOfFile(String)
    }

    let name: String
    let content: Content
    private(set) var type: String?
    private(set) var filename: String?

    init(name: String, text: String) {
        self.name = name
        self.content = .text(text)
    }

    /// Parses a part in curl's form: a value in double quotes may contain `;` and `,`, and `\` escapes a quote or a backslash.
    init(_ text: String) throws(CommandFailure) {
        let (name, value) = try Self.split(text)
        var rest = value
        self.name = name
        let sign = rest.first
        if sign == "@" || sign == "<" { rest = rest.dropFirst() }
        let content = try Self.word(&rest)
        switch sign {
        case "@": self.content = .file(content)
        case "<": self.content = .textOfFile(content)
        default: self.content = .text(content)
        }
        if sign == "@", rest.first == "," {
            throw Self.failure("-F takes one file; repeat -F for each further file")
        }
        while rest.popFirst() != nil {
            rest = rest.drop { $0 == " " }
            guard let equals = rest.firstIndex(of: "=") else {
                guard rest.allSatisfy({ $0 == " " }) else {
                    throw Self.failure("-F needs quotation marks around a value with a semicolon: -F 'name=\"a;b\"'")
                }
                return
            }
            let option = String(rest[..<equals])
            rest = rest[rest.index(after: equals)...]
            switch option {
            case "type": self.type = try Self.type(&rest)
            case "filename": self.filename = try Self.word(&rest)
            case "headers", "encoder":
                throw Self.failure("-F does not support ';\(option)='; use only ';type=' and ';filename='")
            default:
                throw Self.failure("-F needs quotation marks around a value with a semicolon: -F 'name=\"a;b\"'")
            }
        }
    }

    static func split(_ text: String) throws(CommandFailure) -> (name: String, value: Substring.UnicodeScalarView) {
        let scalars = text[...].unicodeScalars
        guard let equals = scalars.firstIndex(of: "="), equals > scalars.startIndex else {
            throw Self.failure("-F and --form-string need name=value; -F also takes name=@file and name=<file")
        }
        return (String(scalars[..<equals]), scalars[scalars.index(after: equals)...])
    }

    private static func word(_ rest: inout Substring.UnicodeScalarView) throws(CommandFailure) -> String {
        guard rest.first == "\"" else {
            let word = rest.prefix { $0 != ";" }
            rest = rest[word.endIndex...]
            return String(word)
        }
        rest = rest.dropFirst()
        var word = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return String(word) }
            if scalar == "\\", let next = rest.first, next == "\\" || next == "\"" {
                word.append(next)
                rest = rest.dropFirst()
            } else {
                word.append(scalar)
            }
        }
        throw Self.failure("-F has a value without its closing quotation mark; add it")
    }

    /// Removes a type with its parameters: in `text/plain;charset=utf-8;filename=a`, only `charset` belongs to the type.
    private static func type(_ rest: inout Substring.UnicodeScalarView) throws(CommandFailure) -> String {
        var type = try Self.word(&rest)
        while rest.first == ";" {
            let next = String(rest.dropFirst().drop { $0 == " " })
            guard !next.hasPrefix("filename="), !next.hasPrefix("type="), !next.hasPrefix("headers="),
                !next.hasPrefix("encoder=")
            else { break }
            rest = rest.dropFirst()
            type += ";\(try Self.word(&rest))"
        }
        return type
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(outcome: .usage, message: message)
    }
}

enum FileType {
    /// RFC 2046 §4.5.1.
    static let unknown = "application/octet-stream"

    /// Extensions that curl knows have the same types as in curl, and the others those of the IANA registry.
    static func of(file name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return Self.unknown }
        return Self.table[name[name.index(after: dot)...].lowercased()] ?? Self.unknown
    }

    private static let table = [
        "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
        "xml": "application/xml", "webp": "image/webp", "avif": "image/avif", "heic": "image/heic",
        "ico": "image/vnd.microsoft.icon", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff",
        "json": "application/json", "csv": "text/csv", "md": "text/markdown", "css": "text/css",
        "js": "text/javascript", "mjs": "text/javascript", "wasm": "application/wasm", "yaml": "application/yaml",
        "yml": "application/yaml", "zip": "application/zip", "gz": "application/gzip", "mp3": "audio/mpeg",
        "m4a": "audio/mp4", "wav": "audio/wav", "ogg": "audio/ogg", "mp4": "video/mp4", "webm": "video/webm",
        "mov": "video/quicktime", "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf",
    ]
}
