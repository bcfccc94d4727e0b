// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One piece of what is sent, as it is typed: the option and its value.
struct ContentArgument: ExpressibleByArgument, Equatable, Sendable {
    /// The option that it was typed with.
    enum Kind: String, CaseIterable, Sendable {
        case data
        case raw = "data-raw"
        case binary = "data-binary"
        case urlEncode = "data-urlencode"
        case json
        case form
        case formString = "form-string"

        /// Finds the kind by the name of an option; `nil` if it does not send anything.
        init?(option name: String) {
            self.init(rawValue: name == "data-ascii" ? "data" : name)
        }
    }

    /// The option.
    let kind: Kind
    /// Its value.
    let text: String

    /// Creates a piece.
    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Reads `kind:text`, as `CommandArguments` writes it; `nil` if there is no such kind.
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

    /// Reads a value that names a file behind an `@`.
    init(_ text: String) {
        // By scalars, as curl does: what follows the sign may be a combining mark.
        self = text.unicodeScalars.first == "@" ? .file(String(text.unicodeScalars.dropFirst())) : .text(text)
    }
}

/// A piece for `--data-urlencode`: `content`, `=content`, `name=content`, `@file` or `name@file`.
struct EncodedArgument: Equatable, Sendable {
    /// The name before the content, as it is; `nil` for the content alone.
    let name: String?
    /// The content that is encoded.
    let source: ContentSource

    /// Reads a value; the first `=` decides, and where there is none, the first `@`.
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

    /// The name and the encoded content.
    ///
    /// - Parameter content: The bytes of the content.
    /// - Returns: Bytes that may stand in a form and in a query.
    func encoded(_ content: some Sequence<UInt8>) -> [UInt8] {
        (self.name.map { Array("\($0)=".utf8) } ?? []) + FormText.encode(content)
    }
}

/// The encoding of forms (`application/x-www-form-urlencoded`), as curl writes it.
enum FormText {
    /// Bytes with all but letters, digits and `-._~` percent-encoded; a space becomes a plus sign.
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
