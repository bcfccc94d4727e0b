// SPDX-License-Identifier: Apache-2.0

/// A line of a file, without its end.
struct FileLine: Sendable {
    /// From 1 on.
    let number: Int
    /// The bytes, by their indices in the file.
    let bytes: ArraySlice<UInt8>
    /// Where the line begins in the file.
    let start: Int

    init(number: Int, bytes: ArraySlice<UInt8>) {
        (self.number, self.bytes, self.start) = (number, bytes, bytes.startIndex)
    }

    /// A part of a line.
    private init(_ line: FileLine, _ bytes: ArraySlice<UInt8>) {
        (self.number, self.bytes, self.start) = (line.number, bytes, line.start)
    }

    var isBlank: Bool { self.bytes.allSatisfy(\.isBlank) }

    /// Where a byte of the line is, or the end of the line.
    func position(of index: Int) -> TextPosition { TextPosition(line: self.number, column: index - self.start + 1) }

    /// Where the first byte is that is no blank.
    var position: TextPosition { self.position(of: self.bytes.drop(while: \.isBlank).startIndex) }

    /// The same line, of which only a part is looked at.
    func part(_ bytes: ArraySlice<UInt8>) -> FileLine { FileLine(self, bytes) }

    var trimmed: FileLine { self.part(self.bytes.trimmed) }

    /// The next word, which is taken from the line, with the blanks before it; `nil` if there is none.
    mutating func takeWord() -> FileLine? {
        let rest = self.bytes.drop(while: \.isBlank)
        let word = rest.prefix { !$0.isBlank }
        self = self.part(rest[word.endIndex...])
        return word.isEmpty ? nil : self.part(word)
    }
}

extension FileLine {
    /// The lines of a file; a line ends with LF or CRLF, the last may have no end.
    ///
    /// - Throws: `Diagnostic` for what is no text.
    static func lines(of bytes: [UInt8]) throws(Diagnostic) -> [FileLine] {
        guard bytes.count <= RequestFileLimits.maximumByteCount else {
            throw Diagnostic(.fileTooLong, at: TextPosition(line: 1, column: 1))
        }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])  // some editors begin UTF-8 with a byte order mark
        var lines: [FileLine] = []
        for part in bytes[(hasMark ? 3 : 0)...].split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = FileLine(number: lines.count + 1, bytes: part.last == 0x0D ? part.dropLast() : part)
            if let index = line.bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
                throw Diagnostic(.controlCharacter, at: line.position(of: index))
            }
            if String(validating: line.bytes, as: UTF8.self) == nil {
                throw Diagnostic(.notUTF8, at: line.position(of: Self.invalidIndex(of: line.bytes)))
            }
            lines.append(line)
        }
        return lines
    }

    /// Where text ceases to be UTF-8.
    private static func invalidIndex(of bytes: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var index = bytes.startIndex
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { index += UTF8.width(scalar) }
        return Swift.min(index, bytes.endIndex)
    }
}

extension ArraySlice<UInt8> {
    /// Without blanks at either end.
    var trimmed: ArraySlice<UInt8> {
        var slice = self.drop(while: \.isBlank)
        while slice.last?.isBlank == true { slice.removeLast() }
        return slice
    }

    /// Whether it is a name: a letter or an underscore, then letters, digits and underscores.
    var isName: Bool {
        guard let first = self.first, first.isNameStart else { return false }
        return self.count <= RequestFileLimits.maximumNameByteCount && self.allSatisfy(\.isNameByte)
    }

    func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { self.starts(with: $0) }
    }

    /// The bytes as text; the whole file was found to be UTF-8, and cuts are made at ASCII only.
    var text: String { String(decoding: self, as: UTF8.self) }
}
