// SPDX-License-Identifier: Apache-2.0

/// A line of a file, without its line ending.
struct FileLine: Sendable {
    let number: Int
    /// The bytes, with their indices in the file.
    let bytes: ArraySlice<UInt8>
    /// The index at which the line begins in the file.
    let start: Int

    init(number: Int, bytes: ArraySlice<UInt8>) {
        (self.number, self.bytes, self.start) = (number, bytes, bytes.startIndex)
    }

    private init(_ line: FileLine, _ bytes: ArraySlice<UInt8>) {
        (self.number, self.bytes, self.start) = (line.number, bytes, line.start)
    }

    var isBlank: Bool { self.bytes.allSatisfy(\.isBlank) }

    func position(of index: Int) -> TextPosition { TextPosition(line: self.number, column: index - self.start + 1) }

    /// The position of the first byte that is not blank.
    var position: TextPosition { self.position(of: self.bytes.drop(while: \.isBlank).startIndex) }

    func part(_ bytes: ArraySlice<UInt8>) -> FileLine { FileLine(self, bytes) }

    var trimmed: FileLine { self.part(self.bytes.trimmed) }

    /// Removes the next word and the blanks before it, and returns the word.
    mutating func takeWord() -> FileLine? {
        let rest = self.bytes.drop(while: \.isBlank)
        let word = rest.prefix { !$0.isBlank }
        self = self.part(rest[word.endIndex...])
        return word.isEmpty ? nil : self.part(word)
    }
}

extension FileLine {
    /// Splits a file into its lines, which end with LF or CRLF; throws if the file is too long.
    static func lines(of bytes: [UInt8]) throws(Diagnostic) -> [FileLine] {
        guard bytes.count <= RequestFileLimits.maximumByteCount else {
            throw Diagnostic(.fileTooLong, at: TextPosition(line: 1, column: 1))
        }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])  // some editors begin UTF-8 with a byte order mark
        var lines: [FileLine] = []
        for part in bytes[(hasMark ? 3 : 0)...].split(separator: 0x0A, omittingEmptySubsequences: false) {
            lines.append(FileLine(number: lines.count + 1, bytes: part.last == 0x0D ? part.dropLast() : part))
        }
        return lines
    }

    /// The error if the line is not UTF-8, or contains a control character.
    var flaw: Diagnostic? {
        if let index = self.bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            return Diagnostic(.controlCharacter, at: self.position(of: index))
        }
        guard String(validating: self.bytes, as: UTF8.self) == nil else { return nil }
        return Diagnostic(.notUTF8, at: self.position(of: Self.invalidIndex(of: self.bytes)))
    }

    private static func invalidIndex(of bytes: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var index = bytes.startIndex
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { index += UTF8.width(scalar) }
        return Swift.min(index, bytes.endIndex)
    }
}

extension ArraySlice<UInt8> {
    var trimmed: ArraySlice<UInt8> {
        var slice = self.drop(while: \.isBlank)
        while slice.last?.isBlank == true { slice.removeLast() }
        return slice
    }

    /// Whether the bytes are an ASCII letter or an underscore, then letters, digits and underscores, and not too long.
    var isName: Bool {
        guard let first = self.first, first.isNameStart else { return false }
        return self.count <= RequestFileLimits.maximumNameByteCount && self.allSatisfy(\.isNameByte)
    }

    /// Whether the bytes are a name that may also begin with a digit, and contain `.` and `-`, as other editors allow.
    var isLooseName: Bool {
        guard let first = self.first, first.isNameStart || first.isDigit else { return false }
        return self.count <= RequestFileLimits.maximumNameByteCount
            && self.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { self.starts(with: $0) }
    }

    /// The bytes as text; they are valid UTF-8 unless the line has a ``FileLine/flaw``.
    var text: String { String(decoding: self, as: UTF8.self) }
}
