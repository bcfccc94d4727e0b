// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
@_spi(CrossModuleInlining) @_exported public import TernFields  // the fields of a head are part of this module's API

/// The head of a response: the status, the fields, and their meaning for the body and the connection.
public struct ResponseHead: Equatable, Sendable {
    /// The minor HTTP version, 0 or 1; a higher one counts as 1 (RFC 9110 §2.5).
    public let minorVersion: Int
    /// The status code, from 100 to 999; clients should treat a code above 599 like a 5xx (RFC 9110 §15).
    public let statusCode: Int
    /// The way in which the client finds the end of the body.
    public let bodyLength: BodyLength
    /// The value of `Content-Length`, also for HEAD and 304 (RFC 9110 §8.6).
    ///
    /// `nil` if the field is missing or invalid, or if `Transfer-Encoding` overrides it (RFC 9112 §6.3).
    public let contentLength: Int64?
    package let keepsAlive: Bool
    package let noticedFields: NoticedFields
    /// The transfer codings of the body that a client must decode, without `chunked`; empty if one of them is not supported.
    package let transferCodings: TransferCodings
    /// Whether the body has transfer codings that the decoder does not support, so that a client must not use it.
    package let hasUnsupportedTransferCoding: Bool
    /// The received fields, without those that ``ResponseDecoder`` drops.
    ///
    /// Spaces replace line folds and, except in `Set-Cookie`, control characters other than tabs.
    public let fields: FieldSection
    /// Whether the head has deviations from the grammar, so that no other response may follow on the connection.
    let isIrregular: Bool

    /// The reason phrase, possibly empty, with U+FFFD for invalid UTF-8; clients should ignore it (RFC 9112 §4).
    public var reasonPhrase: String { self.fields.prefix }

    /// The status as a value of HTTP Types, with its reason phrase.
    public var status: HTTPResponse.Status { .init(code: self.statusCode, reasonPhrase: self.reasonPhrase) }

    /// Returns the head as a value of HTTP Types.
    public func makeHTTPResponse() -> HTTPResponse {
        HTTPResponse(status: self.status, headerFields: self.fields.makeHTTPFields())
    }

    init(
        _ line: HeadScan.StatusLine,
        _ scan: FieldScan,
        _ bytes: ByteView,
        answering kind: RequestKind
    ) throws(HTTP1Violation) {
        let framing = scan.framing
        self.bodyLength = try Self.bodyLength(line, framing, answering: kind)
        self.minorVersion = line.minorVersion
        self.statusCode = line.statusCode
        let hasLength = framing.contentLengthFault == nil && !framing.hasTransferEncoding
        self.contentLength = hasLength ? framing.contentLength : nil
        self.noticedFields = framing.noticed
        let isCoded = framing.namesOtherCoding && (self.bodyLength == .chunked || self.bodyLength == .untilClose)
        self.hasUnsupportedTransferCoding = isCoded && framing.namesUnsupportedCoding
        self.transferCodings =
            isCoded && !framing.namesUnsupportedCoding ? framing.transferCodings : TransferCodings()
        // RFC 9112 §6.3: an intermediary "MUST first remove the received Content-Length field" that a Transfer-Encoding
        // overrides. The overridden value is not the length of the body, so no code above this decoder, such as a
        // cache, may see it.
        let fields = scan.section(bytes, from: line.reasonStart)
        let isOverridden = framing.hasTransferEncoding && framing.hasContentLength
        self.fields = isOverridden ? fields.filtered { !$0.matches("content-length", $1) } : fields
        self.isIrregular =
            line.endsInBareLineFeed || !scan.deviations.isEmpty || framing.isAmbiguous
            || (framing.hasTransferEncoding && line.minorVersion == 0)
        let isPersistent = line.minorVersion == 1 || framing.hasKeepAliveOption
        self.keepsAlive =
            isPersistent && !framing.hasCloseOption && !self.isIrregular && self.bodyLength != .untilClose
    }

    private static func bodyLength(
        _ line: HeadScan.StatusLine,
        _ framing: FramingFields,
        answering kind: RequestKind
    ) throws(HTTP1Violation) -> BodyLength {
        // "regardless of the header fields present in the message"
        if kind == .head || line.statusCode < 200 || line.statusCode == 204 || line.statusCode == 304 { return .none }
        // "A client MUST ignore any Content-Length or Transfer-Encoding … in such a message."
        if kind == .connect, 200...299 ~= line.statusCode { return .none }
        if let fault = framing.transferEncodingFault { throw fault }
        // "the Transfer-Encoding overrides the Content-Length". "If […] the chunked transfer coding is not the final
        // encoding, the message body length is determined by reading the connection until it is closed by the server."
        if framing.hasTransferEncoding { return framing.isChunked ? .chunked : .untilClose }
        if let fault = framing.contentLengthFault { throw fault }
        return framing.contentLength.map { .known($0) } ?? .untilClose
    }
}

extension ResponseHead: CustomStringConvertible {
    /// The version, the status code and the number of fields, without received text.
    public var description: String {
        "HTTP/1.\(self.minorVersion) \(self.statusCode), \(self.fields.count) fields"
    }
}

enum RequestKind: Sendable {
    case head
    /// A 2xx turns the connection into a tunnel.
    case connect
    case other

    init(_ method: HTTPRequest.Method) {
        switch method {
        case .head: self = .head
        case .connect: self = .connect
        default: self = .other
        }
    }
}

/// The way in which a client finds the end of a response's body; RFC 9112 §6.3 defines only these four.
public enum BodyLength: Hashable, Sendable {
    /// There is no body: the request was HEAD, the status is 1xx, 204 or 304, or a CONNECT succeeded.
    case none
    /// The body has this many bytes, possibly none.
    case known(Int64)
    /// The body is sent in chunks, the last of which is empty.
    case chunked
    /// The body ends when the server closes the connection, so that a lost connection may look like its end.
    case untilClose
}
