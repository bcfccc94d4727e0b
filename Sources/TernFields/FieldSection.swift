// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The field lines of a head or of a trailer section, kept as bytes that a decoder has validated.
///
/// Looking up a name scans the bytes, which is cheaper for a few names than ``makeHTTPFields()``. Values are trimmed.
public struct FieldSection: Sendable {
    /// The largest number of fields that `HTTPFields` can hold without a trap; every decoder limits its own maximum to it.
    package static let largestCount = Int(UInt16.max) - 1

    /// The text before the lines, followed by the lines, each with CRLF or LF.
    private let storage: [UInt8]
    private let start: Int
    /// The number of field lines, of which several may have the same name.
    package let count: Int
    /// Whether a value may contain a control character other than the tab.
    private let mayHoldControlCharacters: Bool

    package init(storage: [UInt8], start: Int, count: Int, mayHoldControlCharacters: Bool = false) {
        (self.storage, self.start, self.count) = (storage, start, count)
        self.mayHoldControlCharacters = mayHoldControlCharacters
    }

    /// Whether the section has no fields.
    public var isEmpty: Bool { self.count == 0 }

    /// The first value of a field, with U+FFFD for bytes that are not UTF-8; `nil` if there is no such field.
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

    package var byteCount: Int { self.storage.count - self.start }

    /// The text between the status code and the fields, for a section from an HTTP/1.1 head; empty for others.
    package var prefix: String {
        guard self.start > 0 else { return "" }
        return self.storage.withUnsafeBytes { buffer in
            let bytes = ByteView(buffer)
            return bytes.string(0..<bytes.endOfLine(lineFeed: self.start - 1))
        }
    }

    /// Calls `body` for each line, with the ranges of its name and value, until `body` returns `false`.
    func forEachLine(_ body: (ByteView, _ name: Range<Int>, _ value: Range<Int>) -> Bool) {
        self.storage.withUnsafeBytes { buffer in
            let bytes = ByteView(buffer)
            var lineStart = self.start
            for _ in 0..<self.count {
                // The decoder accepted only a token, a colon, text and a line end, so a colon and an LF are always
                // found.
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

    /// Returns whether a received byte of a name equals a byte of a canonical name, which is in lower case.
    private static func isSameLetter(_ byte: UInt8, _ canonical: UInt8) -> Bool {
        byte == canonical || (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte && byte | 0x20 == canonical)
    }

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
    /// Returns whether two sections have the same bytes, including letter case, the order of fields and any reason phrase.
    public static func == (left: FieldSection, right: FieldSection) -> Bool {
        left.count == right.count && left.start == right.start && left.storage == right.storage
    }
}

extension FieldSection: CustomStringConvertible {
    /// The number of fields, without names and values.
    public var description: String { "\(self.count) fields" }
}

extension FieldSection {
    /// Returns all fields as `HTTPFields`, in the order received.
    ///
    /// A well-known name gets its usual spelling, such as `Content-Type`, whatever the server's letter case; any other name keeps
    /// the server's spelling. Bytes that are not UTF-8 stay unchanged.
    ///
    /// - Complexity: O(*n*) in the bytes of the section.
    public func makeHTTPFields() -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(self.count)
        self.forEachLine { bytes, name, value in
            guard let name = HTTPField.Name.wellKnown(bytes, name) ?? HTTPField.Name(bytes.string(name)) else {
                return true
            }
            // Creating a field from a string is a third faster than from bytes. A value with bytes outside ASCII is
            // passed as bytes, because it may not be UTF-8. So is a value that may contain control characters, because
            // `HTTPField` would replace them if it were created from a string.
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
