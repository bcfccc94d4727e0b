// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The field lines of a head or of a trailer section: validated, but kept as the bytes they came in.
///
/// Looking up a name walks the bytes, which for the few look-ups most responses see is cheaper than making a string
/// for each line; ``makeHTTPFields()`` makes them all. Values are without white space at their ends.
public struct FieldSection: Sendable {
    /// What stands before the lines, then the lines, each ended by CRLF, or by LF alone as it came.
    private let storage: [UInt8]
    /// Where the first line starts.
    private let start: Int
    /// How many field lines there are; a name may come more than once.
    package let count: Int
    /// Whether a value may hold a control character other than the tab.
    private let mayHoldControlCharacters: Bool

    package init(storage: [UInt8], start: Int, count: Int, mayHoldControlCharacters: Bool = false) {
        (self.storage, self.start, self.count) = (storage, start, count)
        self.mayHoldControlCharacters = mayHoldControlCharacters
    }

    /// Whether there is no field.
    public var isEmpty: Bool { self.count == 0 }

    /// The first value of a field, or `nil` if there is none; text that is not UTF-8 is repaired.
    ///
    /// - Complexity: O(*n*) in the bytes of the section.
    public subscript(name: HTTPField.Name) -> String? {
        let wanted = name.canonicalName.utf8
        var result: String?
        self.forEachLine { bytes, name, value in
            guard name.count == wanted.count, bytes.part(name).elementsEqual(wanted, by: Self.isSameLetter) else {
                return true
            }
            result = bytes.string(value)
            return false
        }
        return result
    }

    /// The text between the status code and the fields, for a section that came with a head of HTTP/1.1.
    package var prefix: String {
        self.storage.withUnsafeBytes { buffer in
            let bytes = ByteView(buffer)
            return bytes.string(0..<bytes.endOfLine(lineFeed: self.start - 1))
        }
    }

    /// Calls `body` for each line with the places of name and value, until it returns `false`.
    func forEachLine(_ body: (ByteView, _ name: Range<Int>, _ value: Range<Int>) -> Bool) {
        self.storage.withUnsafeBytes { buffer in
            let bytes = ByteView(buffer)
            var lineStart = self.start
            for _ in 0..<self.count {
                // The scan let only a token, a colon, text and a line end pass, so both are found where they must be.
                guard
                    let nameEnd = bytes.first(UInt8(ascii: ":"), from: lineStart, to: bytes.count),
                    let lineFeed = bytes.firstLineFeed(from: nameEnd, to: bytes.count)
                else { return }
                let value = nameEnd + 1..<bytes.endOfLine(lineFeed: lineFeed)
                guard body(bytes, lineStart..<nameEnd, bytes.trimmed(value)) else { return }
                lineStart = lineFeed + 1
            }
        }
    }

    /// Whether a received byte of a name equals one of a canonical, hence lower-case, name.
    private static func isSameLetter(_ byte: UInt8, _ canonical: UInt8) -> Bool {
        byte == canonical || (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte && byte | 0x20 == canonical)
    }

    /// The same lines, and what stands before them, without those that `isKept` does not want.
    package func filtered(_ isKept: (ByteView, _ name: Range<Int>) -> Bool) -> FieldSection {
        var (kept, count) = (Array(self.storage[..<self.start]), 0)
        self.forEachLine { bytes, name, value in
            guard isKept(bytes, name) else { return true }
            kept += bytes.part(name)
            kept += ": ".utf8
            kept += bytes.part(value)
            kept += "\r\n".utf8
            count += 1
            return true
        }
        return FieldSection(
            storage: kept,
            start: self.start,
            count: count,
            mayHoldControlCharacters: self.mayHoldControlCharacters
        )
    }
}

extension FieldSection: Equatable {
    /// Whether two sections hold the same bytes, so the case of names and the order of fields count.
    public static func == (left: FieldSection, right: FieldSection) -> Bool {
        left.count == right.count && left.start == right.start && left.storage == right.storage
    }
}

extension FieldSection: CustomStringConvertible {
    /// How many fields there are; no names and no values.
    public var description: String { "\(self.count) fields" }
}

extension FieldSection {
    /// All fields as a value of the currency types, in the order received.
    ///
    /// Well-known names come from a table and cost nothing, so they have the table's spelling rather than the
    /// server's; other names keep theirs. Bytes that are not UTF-8 stay as they are inside the value.
    ///
    /// - Complexity: O(*n*) in the bytes of the section, with a string for each value.
    public func makeHTTPFields() -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(self.count)
        self.forEachLine { bytes, name, value in
            guard let name = HTTPField.Name.wellKnown(bytes, name) ?? HTTPField.Name(bytes.string(name)) else {
                return true
            }
            // From text it is faster by a third; what is not ASCII goes in as bytes, for it may not be UTF-8.
            let field =
                bytes.isASCII(value) && !self.mayHoldControlCharacters
                ? HTTPField(name: name, value: bytes.string(value))
                : HTTPField(name: name, lenientValue: bytes.part(value))
            fields.append(field)
            return true
        }
        return fields
    }
}
