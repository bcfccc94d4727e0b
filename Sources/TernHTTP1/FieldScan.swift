// SPDX-License-Identifier: Apache-2.0

/// Finds the field lines of a head or of a trailer section, in one pass that can be interrupted anywhere.
///
/// Offsets count from the first byte of the section; the caller presents that byte first each time. A line is judged
/// only once its LF is there, so the verdict does not depend on how the bytes were split.
struct FieldScan: Sendable {
    private enum Line {
        case incomplete
        case last(end: Int)
        case field(name: Range<Int>, value: Range<Int>, end: Int)
    }

    /// Where the line being read starts; once the scan is complete, the first offset behind the section.
    private(set) var lineStart: Int
    /// How far the line being read was searched for its end.
    private(set) var searchedEnd: Int
    /// How many field lines were found.
    private(set) var count = 0
    /// What the fields said about framing.
    private(set) var framing = FramingFields()

    private let start: Int

    /// Creates a scan of the field lines from `start` on.
    init(start: Int = 0) { (self.start, self.lineStart, self.searchedEnd) = (start, start, start) }

    /// Reads lines up to the empty one, looking no further than `end`; `false` means that it is not there yet.
    mutating func scan(_ bytes: ByteView, to end: Int, maximumCount: Int) throws(HTTP1Violation) -> Bool {
        while true {
            // A line that was looked at before is searched on, not read again.
            if self.searchedEnd > self.lineStart, bytes.firstLineFeed(from: self.searchedEnd, to: end) == nil {
                self.searchedEnd = end
                return false
            }
            switch try self.line(bytes, to: end) {
            case .incomplete:
                self.searchedEnd = end
                return false
            case .last(let lineEnd):
                self.lineStart = lineEnd
                return true
            case .field(let name, let value, let lineEnd):
                guard self.count < maximumCount else { throw .tooManyFields(limit: maximumCount) }
                self.count += 1
                self.framing.notice(bytes, name: name, value: value)
                (self.lineStart, self.searchedEnd) = (lineEnd, lineEnd)
            }
        }
    }

    /// Reads one line; what is wrong in a line that has not ended is not wrong yet.
    private func line(_ bytes: ByteView, to end: Int) throws(HTTP1Violation) -> Line {
        let nameEnd = bytes.endOfToken(from: self.lineStart, to: end)
        guard nameEnd < end else { return .incomplete }
        guard bytes[nameEnd] == UInt8(ascii: ":"), nameEnd > self.lineStart else {
            return try self.oddLine(bytes, nameEnd: nameEnd, to: end)
        }
        let valueEnd = bytes.endOfText(from: nameEnd + 1, to: end)
        guard valueEnd + 1 < end else {
            // Only an LF can end the line here; anything else awaits the byte behind it.
            if valueEnd < end, bytes[valueEnd] == UInt8(ascii: "\n") { throw .bareLineFeed }
            return .incomplete
        }
        if bytes[valueEnd] == UInt8(ascii: "\r"), bytes[valueEnd + 1] == UInt8(ascii: "\n") {
            return .field(name: self.lineStart..<nameEnd, value: nameEnd + 1..<valueEnd, end: valueEnd + 2)
        }
        guard bytes.firstLineFeed(from: valueEnd, to: end) != nil else { return .incomplete }
        throw switch bytes[valueEnd] {
        case UInt8(ascii: "\r"): .bareCarriageReturn
        case UInt8(ascii: "\n"): .bareLineFeed
        default: .controlCharacterInFieldValue
        }
    }

    /// Judges a line that is not a name and a colon: the empty one, or a violation.
    private func oddLine(_ bytes: ByteView, nameEnd: Int, to end: Int) throws(HTTP1Violation) -> Line {
        guard let lineFeed = bytes.firstLineFeed(from: nameEnd, to: end) else { return .incomplete }
        switch bytes[nameEnd] {
        case UInt8(ascii: "\n"):
            throw .bareLineFeed
        case UInt8(ascii: "\r"):
            guard lineFeed == nameEnd + 1 else { throw .bareCarriageReturn }
            guard nameEnd == self.lineStart else { throw .missingColon }
            return .last(end: lineFeed + 1)
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            // RFC 9112 §5.2: a server that sends obs-fold outside message/http is at fault; we do not repair it.
            guard nameEnd > self.lineStart else { throw self.count == 0 ? .whitespaceBeforeFields : .foldedFieldLine }
            let next = bytes.trimmed(nameEnd..<lineFeed).lowerBound
            throw bytes[next] == UInt8(ascii: ":") ? .whitespaceBeforeColon : .invalidFieldName
        default:
            throw .invalidFieldName
        }
    }

    /// The lines found, behind what stands between `prefixStart` and the first of them; for a complete scan.
    func section(_ bytes: ByteView, from prefixStart: Int) -> FieldSection {
        let end = self.lineStart - 2
        return FieldSection(
            storage: prefixStart < end ? bytes.copy(prefixStart..<end) : [],
            start: self.start - prefixStart,
            count: self.count
        )
    }
}
