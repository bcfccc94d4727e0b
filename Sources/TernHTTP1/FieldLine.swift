// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// One line of a head or of a trailer section; places count from the first byte of the section.
enum FieldLine {
    /// The end of the line has not come.
    case incomplete
    /// The empty line behind the fields.
    case last(next: Int, Oddities)
    /// A name and a value.
    case field(name: Range<Int>, value: Range<Int>, next: Int, Oddities)
    /// More of the value before it (`obs-fold`).
    case continuation(valueEnd: Int, next: Int, Oddities)

    /// What was accepted in a line although no sender may generate it.
    struct Oddities: OptionSet, Sendable {
        let rawValue: UInt8

        /// LF stood alone for CRLF.
        static let bareLineFeed = Oddities(rawValue: 1 << 0)
        /// White space stood before the colon.
        static let blankBeforeColon = Oddities(rawValue: 1 << 1)
        /// The value held a control character other than the tab.
        static let controlCharacter = Oddities(rawValue: 1 << 2)
        /// The value went on in another line.
        static let folded = Oddities(rawValue: 1 << 3)

        /// What is wrong with a field that says where the body ends.
        ///
        /// Recipients disagree on whether such a field is there and what it says. A server behind a proxy could have a
        /// part of its body taken for the next response (response splitting).
        var framingFault: HTTP1Violation? {
            if self.contains(.folded) { return .foldedFieldLine }
            if self.contains(.blankBeforeColon) { return .whitespaceBeforeColon }
            return self.contains(.controlCharacter) ? .controlCharacterInFieldValue : nil
        }
    }

    /// Reads the line that starts at `start`; what is wrong in a line that has not ended is not wrong yet.
    ///
    /// - Parameters:
    ///   - bytes: the section.
    ///   - start: where the line starts.
    ///   - end: how far to look.
    ///   - mayContinue: whether a field stands before it, whose value it may continue.
    /// - Returns: the line.
    /// - Throws: the first rule that the line breaks.
    static func read(
        _ bytes: ByteView,
        from start: Int,
        to end: Int,
        mayContinue: Bool
    ) throws(HTTP1Violation) -> FieldLine {
        let nameEnd = bytes.endOfToken(from: start, to: end)
        guard nameEnd < end else { return .incomplete }
        guard bytes[nameEnd] == UInt8(ascii: ":"), nameEnd > start else {
            return try Self.readOdd(bytes, from: start, nameEnd: nameEnd, to: end, mayContinue: mayContinue)
        }
        guard let text = try Self.text(bytes, from: nameEnd + 1, to: end) else { return .incomplete }
        return .field(name: start..<nameEnd, value: nameEnd + 1..<text.end, next: text.next, text.oddities)
    }

    /// Reads a line that does not start with a name and a colon.
    private static func readOdd(
        _ bytes: ByteView,
        from start: Int,
        nameEnd: Int,
        to end: Int,
        mayContinue: Bool
    ) throws(HTTP1Violation) -> FieldLine {
        guard let lineFeed = bytes.firstLineFeed(from: nameEnd, to: end) else { return .incomplete }
        switch bytes[nameEnd] {
        case UInt8(ascii: "\n"):
            guard nameEnd == start else { throw .missingColon }
            return .last(next: lineFeed + 1, .bareLineFeed)
        case UInt8(ascii: "\r"):
            guard lineFeed == nameEnd + 1 else { throw .bareCarriageReturn }
            guard nameEnd == start else { throw .missingColon }
            return .last(next: lineFeed + 1, [])
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            if nameEnd == start {
                // RFC 9112 §2.2: "A recipient that receives whitespace between the start-line and the first header
                // field MUST either reject the message as invalid or" skip such lines.
                guard mayContinue else { throw .whitespaceBeforeFields }
                guard let text = try Self.text(bytes, from: start, to: end) else { return .incomplete }
                return .continuation(valueEnd: text.end, next: text.next, text.oddities)
            }
            // RFC 9112 §5.1: "A proxy MUST remove any such whitespace from a response message". A client that is sent
            // the same response without a proxy does well to see the same.
            var colon = nameEnd
            while ByteView.isBlank(bytes[colon]) { colon += 1 }
            guard bytes[colon] == UInt8(ascii: ":") else { throw .invalidFieldName }
            guard let text = try Self.text(bytes, from: colon + 1, to: end) else { return .incomplete }
            let oddities = text.oddities.union(.blankBeforeColon)
            return .field(name: start..<nameEnd, value: colon + 1..<text.end, next: text.next, oddities)
        default:
            throw .invalidFieldName
        }
    }

    /// Looks for the end of a line; `nil` if it has not come.
    @inline(__always)
    private static func text(
        _ bytes: ByteView,
        from start: Int,
        to end: Int
    ) throws(HTTP1Violation) -> (end: Int, next: Int, oddities: Oddities)? {
        let textEnd = bytes.endOfText(from: start, to: end)
        guard textEnd + 1 < end, bytes[textEnd] == UInt8(ascii: "\r"), bytes[textEnd + 1] == UInt8(ascii: "\n") else {
            return try Self.oddText(bytes, from: textEnd, to: end)
        }
        return (textEnd, textEnd + 2, [])
    }

    /// Goes on at a control character that is no line end in order.
    private static func oddText(
        _ bytes: ByteView,
        from start: Int,
        to end: Int
    ) throws(HTTP1Violation) -> (end: Int, next: Int, oddities: Oddities)? {
        var (offset, oddities, fault): (Int, Oddities, HTTP1Violation?) = (start, [], nil)
        while offset < end {
            switch bytes[offset] {
            case UInt8(ascii: "\n"):
                // RFC 9112 §2.2: "a recipient MAY recognize a single LF as a line terminator".
                if let fault { throw fault }
                return (offset, offset + 1, oddities.union(.bareLineFeed))
            case UInt8(ascii: "\r"):
                guard offset + 1 < end else { return nil }
                if bytes[offset + 1] == UInt8(ascii: "\n") {
                    if let fault { throw fault }
                    return (offset, offset + 2, oddities)
                }
                // "A recipient of such a bare CR MUST consider that element to be invalid or replace each".
                fault = fault ?? .bareCarriageReturn
            case 0:
                // RFC 9110 §5.5: "a recipient of CR, LF, or NUL within a field value MUST either reject the message or
                // replace each". Browsers, curl and Go reject.
                fault = fault ?? .controlCharacterInFieldValue
            default:
                oddities.insert(.controlCharacter)
            }
            offset = bytes.endOfText(from: offset + 1, to: end)
        }
        return nil
    }
}
