// SPDX-License-Identifier: Apache-2.0
internal import TernRequests

struct NetrcParser {
    /// The maximum length of a netrc file, in bytes, as in curl.
    ///
    /// Beyond it, reading it throws ``NetrcError``.
    static let maximumByteCount = 128 * 1024

    private static let quote = UInt8(ascii: "\"")

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { self.index < self.bytes.count ? self.bytes[self.index] : nil }

    mutating func readEntries() throws(NetrcError) -> [Netrc.Entry] {
        var entries: [Netrc.Entry] = []
        var firstUnknownLine: Int?
        self.skipByteOrderMark()
        while self.skipToKeyword() {
            let line = self.line
            // A word in quotes is never a keyword, so that an unknown keyword may have any value.
            let keyword = self.next == Self.quote ? nil : self.readKeyword()
            switch keyword {
            case "machine", "default":
                let host = keyword == "machine" ? Origin.canonicalHost(try self.readValue(line)) : nil
                entries.append(Netrc.Entry(host: host))
            case "login", "password", "account":
                guard var entry = entries.popLast() else { throw .valueWithoutEntry(line: line) }
                let value = try self.readValue(line)
                if keyword == "login" { entry.user = value }
                if keyword == "password" { entry.password = value }
                entries.append(entry)
            case "macdef":
                _ = try self.readValue(line)
                self.skipMacro()
            case nil:
                _ = try self.readQuotedWord()
                firstUnknownLine = firstUnknownLine ?? line
            default:
                // Programs have keywords of their own, such as `port 21`. As in curl, the keyword and its value are two
                // unknown words.
                firstUnknownLine = firstUnknownLine ?? line
            }
        }
        // A file with words, but without an entry, is another kind of file.
        if let firstUnknownLine, entries.isEmpty { throw .unknownKeyword(line: firstUnknownLine) }
        return entries
    }

    // MARK: Words

    private mutating func readKeyword() -> String {
        String(decoding: self.readPlainWord(), as: UTF8.self).lowercased()
    }

    private mutating func readValue(_ keywordLine: Int) throws(NetrcError) -> String {
        self.skipBlanks()
        guard let first = self.next else { throw .missingValue(line: keywordLine) }
        let word = first == Self.quote ? try self.readQuotedWord() : Array(self.readPlainWord())
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func readPlainWord() -> ArraySlice<UInt8> {
        let start = self.index
        while let byte = self.next, !Self.isBlank(byte) { self.index += 1 }
        return self.bytes[start..<self.index]
    }

    private mutating func readQuotedWord() throws(NetrcError) -> [UInt8] {
        var word: [UInt8] = []
        self.index += 1
        while var byte = self.next, byte != UInt8(ascii: "\n") {
            self.index += 1
            if byte == Self.quote { return word }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = self.next, escaped != UInt8(ascii: "\n") else { break }
                self.index += 1
                byte = Self.unescaped(escaped)
            }
            word.append(byte)
        }
        throw .unterminatedQuote(line: self.line)
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: byte
        }
    }

    // MARK: Between words

    /// Some editors write a mark, which would hide the first keyword.
    private mutating func skipByteOrderMark() {
        if self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.index = 3 }
    }

    private mutating func skipToKeyword() -> Bool {
        self.skipBlanks()
        while self.next == UInt8(ascii: "#") {
            self.skipLine()
            self.skipBlanks()
        }
        return self.next != nil
    }

    /// Skips the rest of this line, and all lines up to and including an empty one.
    private mutating func skipMacro() {
        self.skipLine()
        while let first = self.next {
            var rest = first
            if first == UInt8(ascii: "\r"), self.index + 1 < self.bytes.count { rest = self.bytes[self.index + 1] }
            self.skipLine()
            if rest == UInt8(ascii: "\n") { return }
        }
    }

    private mutating func skipLine() {
        while let byte = self.next, byte != UInt8(ascii: "\n") { self.index += 1 }
        guard self.next != nil else { return }
        self.index += 1
        self.line += 1
    }

    private mutating func skipBlanks() {
        while let byte = self.next, Self.isBlank(byte) {
            if byte == UInt8(ascii: "\n") { self.line += 1 }
            self.index += 1
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")) ~= byte
    }
}
