// SPDX-License-Identifier: Apache-2.0

/// The text between `{{` and `}}` that names no variable, but says how to compute a value.
///
/// Only requests that are sent may have expressions. Several editors give each expression the same meaning, and none runs code.
package enum ValueExpression: Hashable, Sendable {
    /// `$guid`, `$uuid` or `$random.uuid`.
    case uuid
    /// Such as `$timestamp -1 d`.
    case timestamp(TimeOffset)
    /// Such as `$datetime iso8601 1 d`, `$localDatetime "YYYY-MM-DD"`, `$isoTimestamp` or `$date`.
    case date(DateFormat, TimeOffset, isLocal: Bool)
    /// Such as `$randomInt 1 7` or `$random.integer(1, 7)`.
    case integer(Range<Int64>)
    /// Such as `$random.hexadecimal(8)`.
    case characters(String, count: Int)
    /// `$processEnv NAME` or `$env.NAME`.
    case environment(String)
    /// `$dotenv NAME`, from the file `.env` beside the request file.
    case dotenv(String)
    /// Such as `login.response.body.token`.
    case message(MessageReference)

    /// The maximum length of an expression, in bytes.
    package static let maximumByteCount = 256
    static let maximumCharacterCount = 1024

    /// Parses the text between the braces, without white space around it; `nil` for other text, such as the name of a variable.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        guard text.hasPrefix("$") else {
            guard let reference = MessageReference(text) else { return nil }
            self = .message(reference)
            return
        }
        var words = Words(text.dropFirst())
        let name = words.next() ?? ""
        let value: ValueExpression?
        switch name {
        case "guid", "uuid", "random.uuid": value = .uuid
        case "timestamp": value = TimeOffset(&words).map { .timestamp($0) }
        case "isoTimestamp": value = .date(.iso8601, TimeOffset(), isLocal: false)
        case "datetime", "localDatetime":
            guard let format = words.next().flatMap({ DateFormat(String($0)) }), let offset = TimeOffset(&words) else {
                return nil
            }
            value = .date(format, offset, isLocal: name == "localDatetime")
        case "date": value = .date(.pattern("YYYY-MM-DD"), TimeOffset(), isLocal: true)
        case "randomInt": value = Self.integer(words.rest())
        case "processEnv": value = Self.name(words.next()).map { .environment($0) }
        case "dotenv": value = Self.name(words.next()).map { .dotenv($0) }
        default:
            // JetBrains separates arguments by commas, in parentheses, so white space may be inside.
            value = Self.function(text.dropFirst())
            _ = words.rest()
        }
        guard let value, words.next() == nil else { return nil }
        self = value
    }

    /// Parses the bounds of a random integer, the upper one excluded; without bounds, it has up to three digits.
    private static func integer(_ bounds: [Substring]) -> ValueExpression? {
        if bounds.isEmpty { return .integer(0..<1000) }
        guard bounds.count == 2, let from = Int64(bounds[0]), let to = Int64(bounds[1]), from < to else { return nil }
        return .integer(from..<to)
    }

    /// Parses a function of JetBrains, such as `random.alphabetic(8)`.
    private static func function(_ text: Substring) -> ValueExpression? {
        let open = text.firstIndex(of: "(") ?? text.endIndex
        let name = text[..<open].trimmedBlanks
        let inside = text[open...].dropFirst()
        guard open == text.endIndex || inside.hasSuffix(")") else { return nil }
        let arguments = inside.dropLast().split(separator: ",", omittingEmptySubsequences: false).map(\.trimmedBlanks)
        let given = arguments == [""] ? [] : arguments
        if name.hasPrefix("env."), open == text.endIndex, Self.isName(name.dropFirst(4)) {
            return .environment(String(name.dropFirst(4)))
        }
        if name == "random.integer" { return Self.integer(given) }
        let alphabets = [
            "random.alphabetic": Self.letters, "random.alphanumeric": "\(Self.letters)0123456789_",
            "random.hexadecimal": "0123456789abcdef",
        ]
        guard let alphabet = alphabets[String(name)], given.count <= 1 else { return nil }
        guard let count = given.isEmpty ? 10 : Int(given[0]), 0...Self.maximumCharacterCount ~= count else {
            return nil
        }
        return .characters(alphabet, count: count)
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    /// Returns the name of an environment variable, without a `%` before it, which has a meaning only in REST Client.
    private static func name(_ word: Substring?) -> String? {
        guard let word else { return nil }
        let name = word.hasPrefix("%") ? word.dropFirst() : word
        return Self.isName(name) ? String(name) : nil
    }

    private static func isName(_ word: Substring) -> Bool {
        guard let first = word.utf8.first, first.isNameStart else { return false }
        return word.utf8.count <= RequestFileLimits.maximumNameByteCount && word.utf8.allSatisfy(\.isNameByte)
    }
}

extension ValueExpression {
    /// Returns the value if it needs only the time, in milliseconds since 1970, and random bits; `nil` for any other expression.
    package func text(now: Int64, localOffset: Int64, using generator: inout some RandomNumberGenerator) -> String? {
        switch self {
        case .uuid: Self.uuid(using: &generator)
        case .timestamp(let offset): "\(Self.seconds(offset.applied(to: now)))"
        case .date(let format, let offset, let isLocal):
            format.text(of: offset.applied(to: now), offset: isLocal ? localOffset : 0)
        case .integer(let range): "\(Int64.random(in: range, using: &generator))"
        case .characters(let alphabet, let count):
            String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
        case .environment, .dotenv, .message: nil
        }
    }

    package var isNumber: Bool {
        switch self {
        case .timestamp, .integer: true
        default: false
        }
    }

    /// Rounds down, also before 1970.
    private static func seconds(_ milliseconds: Int64) -> Int64 {
        milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    }

    private static func uuid(using generator: inout some RandomNumberGenerator) -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        return bytes.enumerated().map { index, byte in
            let dash = [4, 6, 8, 10].contains(index) ? "-" : ""
            return "\(dash)\(digits[Int(byte >> 4)])\(digits[Int(byte & 0x0F)])"
        }.joined()
    }
}

/// The words of an expression, some of which may be in quotes.
struct Words {
    private var text: Substring

    init(_ text: Substring) { self.text = text }

    /// Removes the next word, and returns it without its quotes.
    mutating func next() -> Substring? {
        self.text = self.text.drop(while: \.isBlank)
        guard let first = self.text.first else { return nil }
        if first == "\"" || first == "'", let end = self.text.dropFirst().firstIndex(of: first) {
            let word = self.text[..<end].dropFirst()
            self.text = self.text[end...].dropFirst()
            return word
        }
        let word = self.text.prefix { !$0.isBlank }
        self.text = self.text[word.endIndex...]
        return word
    }

    mutating func rest() -> [Substring] {
        var words: [Substring] = []
        while let word = self.next() { words.append(word) }
        return words
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
    fileprivate var trimmedBlanks: Substring {
        var text = self.drop(while: \.isBlank)
        while text.last?.isBlank == true { text.removeLast() }
        return text
    }
}
