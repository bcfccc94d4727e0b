// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// One line of a head or of a trailer section, with offsets from the start of this section; `next` is the offset after the line.
enum FieldLine {
    case incomplete
    case last(next: Int, Deviations)
    case field(name: Range<Int>, value: Range<Int>, next: Int, Deviations)
    /// A line that continues the value of the line before (`obs-fold`).
    case continuation(valueEnd: Int, next: Int, Deviations)

    /// The deviations from the grammar that the decoder accepted in a line, although no sender may generate them.
    struct Deviations: OptionSet, Sendable {
        let rawValue: UInt8

        static let bareLineFeed = Deviations(rawValue: 1 << 0)
        static let blankBeforeColon = Deviations(rawValue: 1 << 1)
        static let controlCharacter = Deviations(rawValue: 1 << 2)
        static let folded = Deviations(rawValue: 1 << 3)

        /// The name was not a token, so the field is dropped.
        static let invalidName = Deviations(rawValue: 1 << 4)

        /// The violation to report if the field determines the end of the body, because recipients disagree on its meaning.
        var framingFault: HTTP1Violation? {
            if self.contains(.folded) { return .foldedFieldLine }
            if self.contains(.blankBeforeColon) { return .whitespaceBeforeColon }
            return self.contains(.controlCharacter) ? .controlCharacterInFieldValue : nil
        }
    }

    /// Reads the line that starts at `start`; reports a violation only when the end of the line has arrived.
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
        return .field(name: start..<nameEnd, value: nameEnd + 1..<text.end, next: text.next, text.deviations)
    }

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
                return .continuation(valueEnd: text.end, next: text.next, text.deviations)
            }
            // RFC 9112 §5.1: "A proxy MUST remove any such whitespace from a response message". A client without a
            // proxy should see the same response.
            var colon = nameEnd
            while ByteView.isBlank(bytes[colon]) { colon += 1 }
            guard bytes[colon] == UInt8(ascii: ":") else {
                return try Self.readUnnamed(bytes, from: start, lineFeed: lineFeed, to: end)
            }
            guard let text = try Self.text(bytes, from: colon + 1, to: end) else { return .incomplete }
            let deviations = text.deviations.union(.blankBeforeColon)
            return .field(name: start..<nameEnd, value: colon + 1..<text.end, next: text.next, deviations)
        default:
            return try Self.readUnnamed(bytes, from: start, lineFeed: lineFeed, to: end)
        }
    }

    /// Reads a field whose name is empty or not a token, such as `X-Cache Status: hit`, which browsers ignore, too.
    private static func readUnnamed(
        _ bytes: ByteView,
        from start: Int,
        lineFeed: Int,
        to end: Int
    ) throws(HTTP1Violation) -> FieldLine {
        guard let colon = bytes.first(UInt8(ascii: ":"), from: start, to: lineFeed) else { throw .invalidFieldName }
        let textEnd = bytes.endOfText(from: start, to: colon)
        guard textEnd == colon else {
            throw bytes[textEnd] == UInt8(ascii: "\r") ? .bareCarriageReturn : .invalidFieldName
        }
        // A proxy may have removed white space or other bytes from the name before it read the framing. So the client
        // must not ignore what another recipient may take for a framing field (response splitting).
        guard !FramingFields.resemblesFraming(bytes, name: start..<colon) else { throw .invalidFieldName }
        guard let text = try Self.text(bytes, from: colon + 1, to: end) else { return .incomplete }
        let deviations = text.deviations.union(.invalidName)
        return .field(name: start..<colon, value: colon + 1..<text.end, next: text.next, deviations)
    }

    /// Finds the end of a line; `nil` if the end has not arrived.
    @inline(__always)
    private static func text(
        _ bytes: ByteView,
        from start: Int,
        to end: Int
    ) throws(HTTP1Violation) -> (end: Int, next: Int, deviations: Deviations)? {
        let textEnd = bytes.endOfText(from: start, to: end)
        guard textEnd + 1 < end, bytes[textEnd] == UInt8(ascii: "\r"), bytes[textEnd + 1] == UInt8(ascii: "\n") else {
            return try Self.oddText(bytes, from: textEnd, to: end)
        }
        return (textEnd, textEnd + 2, [])
    }

    private static func oddText(
        _ bytes: ByteView,
        from start: Int,
        to end: Int
    ) throws(HTTP1Violation) -> (end: Int, next: Int, deviations: Deviations)? {
        var (offset, deviations, fault): (Int, Deviations, HTTP1Violation?) = (start, [], nil)
        while offset < end {
            switch bytes[offset] {
            case UInt8(ascii: "\n"):
                // RFC 9112 §2.2: "a recipient MAY recognize a single LF as a line terminator".
                if let fault { throw fault }
                return (offset, offset + 1, deviations.union(.bareLineFeed))
            case UInt8(ascii: "\r"):
                guard offset + 1 < end else { return nil }
                if bytes[offset + 1] == UInt8(ascii: "\n") {
                    if let fault { throw fault }
                    return (offset, offset + 2, deviations)
                }
                // "A recipient of such a bare CR MUST consider that element to be invalid or replace each".
                fault = fault ?? .bareCarriageReturn
            case 0:
                // RFC 9110 §5.5: "a recipient of CR, LF, or NUL within a field value MUST either reject the message or
                // replace each". Browsers, curl and Go reject the message.
                fault = fault ?? .controlCharacterInFieldValue
            default:
                deviations.insert(.controlCharacter)
            }
            offset = bytes.endOfText(from: offset + 1, to: end)
        }
        return nil
    }
}
