// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// A rule of HTTP/1.1 or a limit that a response broke, or its early end; contains no received bytes.
@nonexhaustive
public enum HTTP1Violation: Error, Hashable, Sendable {
    // MARK: The status line

    /// The first line does not have the form `HTTP/1.1 200 OK`, or its reason phrase has a control character other than tab or CR.
    case malformedStatusLine
    /// The major version is not 1.
    case unsupportedVersion
    /// The status code is not three digits from 100 to 999.
    case invalidStatusCode

    // MARK: Lines and fields

    /// The first line of a chunk ended with LF instead of CRLF.
    case bareLineFeed
    /// A CR in a line was not followed by LF.
    case bareCarriageReturn
    /// The first line after the status line, or of a trailer section, began with white space.
    case whitespaceBeforeFields
    /// A field line is a token without a colon.
    case missingColon
    /// A line without a colon is not a token, or an invalid name contains a control character or resembles that of a framing field.
    case invalidFieldName
    /// White space stood before the colon of a field that determines the end of the body.
    case whitespaceBeforeColon
    /// The value of a field that determines the end of the body continued on a second line (`obs-fold`).
    case foldedFieldLine
    /// A field value contained NUL, or a field that determines the end of the body contained another control character.
    case controlCharacterInFieldValue

    // MARK: Framing

    /// A `Content-Length` was empty, not all digits, or larger than `Int64.max`.
    case invalidContentLength
    /// `Content-Length` had two different values.
    case conflictingContentLengths
    /// The transfer coding `chunked` was named more than once, together with another coding.
    case repeatedChunkedCoding

    // MARK: Chunks

    /// A chunk size was empty or not hexadecimal.
    case invalidChunkSize
    /// A chunk size had more than 16 digits or was larger than `Int64.max`.
    case chunkSizeTooLarge
    /// The text after a chunk size was not an extension, or contained a control character.
    case invalidChunkExtension
    /// The data of a chunk was not followed by CRLF.
    case missingChunkTerminator

    // MARK: Limits

    /// A head did not end within ``HTTP1Limits/maximumHeadByteCount`` bytes.
    case headTooLong(limit: Int)
    /// A head or trailer section had more fields than ``HTTP1Limits/maximumFieldCount`` allows.
    case tooManyFields(limit: Int)
    /// The first line of a chunk did not end within ``HTTP1Limits/maximumChunkLineByteCount`` bytes.
    case chunkLineTooLong(limit: Int)
    /// A body had too much chunk framing for its data; see ``HTTP1Limits/maximumExcessChunkFramingByteCount``.
    case excessiveChunkFraming(limit: Int)
    /// A trailer section did not end within ``HTTP1Limits/maximumTrailerByteCount`` bytes.
    case trailersTooLong(limit: Int)
    /// More interim responses arrived than ``HTTP1Limits/maximumInformationalCount`` allows.
    case tooManyInformationalResponses(limit: Int)

    // MARK: Sequence and end

    /// A 101 (Switching Protocols) arrived although no upgrade was offered.
    case unexpectedUpgrade
    /// A 101 (Switching Protocols) arrived in HTTP/1.0, which has no upgrades.
    case upgradeInHTTP10
    /// The connection ended before the first byte of a response, so that a retry may be safe (RFC 9112 §9.3.1).
    case closedBeforeResponse
    /// The connection ended inside a head, or between an interim response and the final one.
    case truncatedHead
    /// The connection ended after `received` bytes of a body whose announced length is `expected` bytes.
    case truncatedBody(received: Int64, expected: Int64)
    /// The connection ended inside a chunked body, or inside its trailer section.
    case truncatedChunkedBody
}

extension HTTP1Violation {
    /// The document and section to read about the violation, such as `"RFC 9112 §6.3"`.
    public var section: String {
        switch self {
        case .bareLineFeed, .bareCarriageReturn, .whitespaceBeforeFields: "RFC 9112 §2.2"
        case .unsupportedVersion: "RFC 9112 §2.3"
        case .malformedStatusLine, .invalidStatusCode: "RFC 9112 §4"
        case .missingColon: "RFC 9112 §5"
        case .invalidFieldName, .whitespaceBeforeColon: "RFC 9112 §5.1"
        case .foldedFieldLine: "RFC 9112 §5.2"
        case .headTooLong, .tooManyFields, .trailersTooLong: "RFC 9110 §5.4"
        case .controlCharacterInFieldValue: "RFC 9110 §5.5"
        case .repeatedChunkedCoding: "RFC 9112 §6.1"
        case .invalidContentLength, .conflictingContentLengths: "RFC 9112 §6.3"
        case .invalidChunkSize, .chunkSizeTooLarge, .missingChunkTerminator: "RFC 9112 §7.1"
        case .invalidChunkExtension, .chunkLineTooLong, .excessiveChunkFraming: "RFC 9112 §7.1.1"
        case .truncatedHead, .truncatedBody, .truncatedChunkedBody: "RFC 9112 §8"
        case .closedBeforeResponse: "RFC 9112 §9.3.1"
        case .tooManyInformationalResponses: "RFC 9110 §15.2"
        case .upgradeInHTTP10: "RFC 9110 §7.8"
        case .unexpectedUpgrade: "RFC 9110 §15.2.2"
        }
    }

    /// One sentence that describes the violation, without received bytes; its wording is not stable.
    public var reason: String {
        switch self {
        case .malformedStatusLine: "The response does not start with a valid HTTP/1 status line."
        case .unsupportedVersion: "The response does not use version 1 of HTTP."
        case .invalidStatusCode: "The status code of the response is not a number from 100 to 999."
        case .bareLineFeed: "The line before the data of a chunk ends with LF instead of CRLF."
        case .bareCarriageReturn: "A CR in the response is not followed by LF."
        case .whitespaceBeforeFields:
            "The response has white space before the first field of its head or of its trailer section."
        case .missingColon: "A field of the response has no colon."
        case .invalidFieldName:
            "The name of a field in the response is empty or contains a character that is not allowed."
        case .whitespaceBeforeColon:
            "A Content-Length or Transfer-Encoding field of the response has white space before its colon."
        case .foldedFieldLine:
            "A Content-Length or Transfer-Encoding field of the response is folded over two lines."
        case .controlCharacterInFieldValue: "A field of the response contains a control character."
        case .invalidContentLength: "The Content-Length of the response is not a decimal number below 2^63."
        case .conflictingContentLengths: "The response has different values of Content-Length."
        case .repeatedChunkedCoding:
            "The response applies the chunked transfer coding more than once, and another coding."
        case .invalidChunkSize: "A chunk size is not a hexadecimal number."
        case .chunkSizeTooLarge: "A chunk size has more than 16 digits or is not below 2^63."
        case .invalidChunkExtension: "A chunk extension is malformed."
        case .missingChunkTerminator: "The data of a chunk is not followed by CRLF."
        case .headTooLong(let limit): "The head of the response does not end within \(limit) bytes."
        case .tooManyFields(let limit): "The response has more than \(limit) fields."
        case .chunkLineTooLong(let limit): "The line before the data of a chunk does not end within \(limit) bytes."
        case .excessiveChunkFraming(let limit):
            "The chunk sizes and chunk extensions of the response contain more than \(limit) unnecessary bytes."
        case .trailersTooLong(let limit): "The trailer section of the response does not end within \(limit) bytes."
        case .tooManyInformationalResponses(let limit): "More than \(limit) interim responses arrived."
        case .unexpectedUpgrade: "The response switches protocols, but the client did not ask for that."
        case .upgradeInHTTP10: "An HTTP/1.0 response switches protocols."
        case .closedBeforeResponse: "The connection ended before a response began."
        case .truncatedHead: "The connection ended before the head of the response was complete."
        case .truncatedBody(let received, let expected):
            "The connection ended after \(received) of the \(expected) bytes of the body."
        case .truncatedChunkedBody: "The connection ended inside a chunked body of a response."
        }
    }
}

extension HTTP1Violation: CustomStringConvertible {
    /// The reason and the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension HTTP1Violation: LocalizedError {
    /// One sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.reason }
}
