// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation

/// One piece of the content to send, as typed: the option and its value.
struct ContentArgument: ExpressibleByArgument, Equatable, Sendable {
    /// The option with which the content was typed.
    enum Kind: String, CaseIterable, Sendable {
        case data
        case raw = "data-raw"
        case binary = "data-binary"
        case urlEncode = "data-urlencode"
        case json
        case form
        case formString = "form-string"

        /// Creates the kind for the name of an option; `nil` if the name is not that of a kind.
        init?(option name: String) {
            self.init(rawValue: name == "data-ascii" ? "data" : name)
        }
    }

    /// The option.
    let kind: Kind
    /// The value of the option.
    let text: String

    /// Creates a piece of content.
    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Parses `kind:text`, as `CommandArguments` writes it; `nil` if the kind is unknown.
    init?(argument: String) {
        let scalars = argument.unicodeScalars
        guard let colon = scalars.firstIndex(of: ":"), let kind = Kind(rawValue: String(scalars[..<colon])) else {
            return nil
        }
        self.init(kind, String(scalars[scalars.index(after: colon)...]))
    }
}

/// The source of a piece's bytes.
enum ContentSource: Equatable, Sendable {
    case text(String)
    /// A file, or standard input for `-`.
    case file(String)

    /// Parses a value: after an `@`, the name of a file; otherwise text.
    init(_ text: String) {
        // Compare Unicode scalars: an `@` and a combining mark after it are one `Character`.
        self = text.unicodeScalars.first == "@" ? .file(String(text.unicodeScalars.dropFirst())) : .text(text)
    }
}

/// A value of `--data-urlencode`: `content`, `=content`, `name=content`, `@file` or `name@file`.
struct EncodedArgument: Equatable, Sendable {
    /// The name before the content; `nil` if there is only content.
    ///
    /// The command sends the name without encoding it.
    let name: String?
    /// The content to encode.
    let source: ContentSource

    /// Parses a value.
    ///
    /// Splits it at the first `=` or, if it contains no `=`, at the first `@`.
    init(_ text: String) {
        let scalars = text.unicodeScalars
        guard let sign = scalars.firstIndex(of: "=") ?? scalars.firstIndex(of: "@") else {
            (self.name, self.source) = (nil, .text(text))
            return
        }
        let name = String(scalars[..<sign])
        let content = String(scalars[scalars.index(after: sign)...])
        self.name = name.isEmpty ? nil : name
        self.source = scalars[sign] == "=" ? .text(content) : .file(content)
    }

    /// Returns the name and the encoded content.
    ///
    /// - Parameter content: The bytes of the content.
    /// - Returns: The bytes to send in a form or a query.
    func encoded(_ content: some Sequence<UInt8>) -> [UInt8] {
        (self.name.map { Array("\($0)=".utf8) } ?? []) + FormText.encode(content)
    }
}

/// The encoding of forms (`application/x-www-form-urlencoded`), as curl writes it.
enum FormText {
    /// Percent-encodes all bytes except letters, digits and `-._~`; a space becomes a plus sign.
    static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.reduce(into: []) { text, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): text.append(byte)
            case UInt8(ascii: " "): text.append(UInt8(ascii: "+"))
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}
