// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation

/// One piece of the content to send, as typed: the option and its value.
struct ContentArgument: ExpressibleByArgument, Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case data
        case raw = "data-raw"
        case binary = "data-binary"
        case urlEncode = "data-urlencode"
        case json
        case form
        case formString = "form-string"

        init?(option name: String) {
            self.init(rawValue: name == "data-ascii" ? "data" : name)
        }
    }

    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    init?(argument: String) {
        let scalars = argument.unicodeScalars
        guard let colon = scalars.firstIndex(of: ":"), let kind = Kind(rawValue: String(scalars[..<colon])) else {
            return nil
        }
        self.init(kind, String(scalars[scalars.index(after: colon)...]))
    }
}

enum ContentSource: Equatable, Sendable {
    case text(String)
    /// A file, or standard input for `-`.
    case file(String)

    init(_ text: String) {
        // Compare Unicode scalars: an `@` and a combining mark after it are one `Character`.
        self = text.unicodeScalars.first == "@" ? .file(String(text.unicodeScalars.dropFirst())) : .text(text)
    }
}

/// A value of `--data-urlencode`: `content`, `=content`, `name=content`, `@file` or `name@file`.
struct EncodedArgument: Equatable, Sendable {
    /// The name before the content, which is sent without encoding.
    let name: String?
    let source: ContentSource

    /// Splits a value at the first `=` or, if it contains no `=`, at the first `@`.
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
