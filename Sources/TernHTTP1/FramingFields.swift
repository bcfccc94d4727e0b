// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The facts that the fields of a section state about the framing of the body, and about keeping the connection open.
///
/// Violations are stored, because the status and the method decide whether they matter.
struct FramingFields: Sendable {
    private(set) var contentLength: Int64?
    private(set) var contentLengthFault: HTTP1Violation?
    private(set) var isChunked = false
    /// Whether there was a `Transfer-Encoding` that was empty, or that named a coding other than `identity`.
    private(set) var hasTransferEncoding = false
    /// The violation in `Transfer-Encoding`: "A sender MUST NOT apply the chunked transfer coding more than once" (RFC 9112 §6.1).
    ///
    /// As in curl, `chunked` may be named again without another coding, because a server and the program behind it may both add it.
    var transferEncodingFault: HTTP1Violation? {
        self.syntaxFault ?? (self.repeatsChunked && self.namesOtherCoding ? .repeatedChunkedCoding : nil)
    }
    private(set) var namesOtherCoding = false
    /// The transfer codings without `chunked` and `identity`, as far as the client can decode them.
    private(set) var transferCodings = TransferCodings()
    /// Whether `Transfer-Encoding` named an unknown coding, too many codings, or a coding after `chunked`.
    private(set) var namesUnsupportedCoding = false
    private(set) var hasCloseOption = false
    private(set) var hasKeepAliveOption = false
    private(set) var hasForbiddenTrailer = false
    private(set) var noticed: NoticedFields = []

    /// Whether `Content-Length` had more than one value, or `Transfer-Encoding` was not plain `chunked`.
    private var isUnusual = false
    private var namesChunked = false
    private var repeatsChunked = false
    private var syntaxFault: HTTP1Violation?

    var hasContentLength: Bool { self.contentLength != nil || self.contentLengthFault != nil }

    /// Whether recipients may disagree on where the body ends, so that no other response may follow on the connection.
    var isAmbiguous: Bool {
        self.isUnusual || self.contentLengthFault != nil || self.transferEncodingFault != nil
            || (self.hasTransferEncoding && self.hasContentLength)
    }

    /// Records one field; compares the length of the name first, so most names cost only one jump.
    @inline(__always)
    mutating func notice(
        _ bytes: ByteView,
        name: Range<Int>,
        value: Range<Int>,
        _ deviations: FieldLine.Deviations = []
    ) {
        switch name.count {
        case 4, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18:
            self.noticeCandidate(bytes, name: name, value: value, deviations.framingFault)
        default: break
        }
    }

    private mutating func noticeCandidate(
        _ bytes: ByteView,
        name: Range<Int>,
        value: Range<Int>,
        _ fault: HTTP1Violation?
    ) {
        switch name.count {
        case 8:
            if bytes.matches("location", name) { self.noticed.insert(.location) }
        case 10:
            if bytes.matches("connection", name) {
                self.noticeConnection(bytes, value)
            } else if bytes.matches("set-cookie", name) {
                self.noticed.insert(.setCookie)
            }
        case 11:
            if bytes.matches("retry-after", name) { self.noticed.insert(.retryAfter) }
        case 14:
            if bytes.matches("content-length", name) { self.noticeContentLength(bytes, value, fault) }
        case 16:
            if bytes.matches("content-encoding", name) {
                self.noticed.insert(.contentEncoding)
            } else if bytes.matches("www-authenticate", name) {
                self.noticed.insert(.wwwAuthenticate)
            }
        case 17:
            if bytes.matches("transfer-encoding", name) { self.noticeTransferEncoding(bytes, value, fault) }
        case 18:
            if bytes.matches("proxy-authenticate", name) { self.noticed.insert(.proxyAuthenticate) }
        default: break
        }
        if Self.isForbiddenInTrailers(bytes, name: name) { self.hasForbiddenTrailer = true }
    }

    /// Returns whether a field controls framing, routing or the reading of the content (RFC 9110 §6.5.1).
    static func isForbiddenInTrailers(_ bytes: ByteView, name: Range<Int>) -> Bool {
        switch name.count {
        case 4: bytes.matches("host", name)
        case 7: bytes.matches("trailer", name)
        case 10: bytes.matches("connection", name)
        case 12: bytes.matches("content-type", name)
        case 13: bytes.matches("content-range", name)
        case 14: bytes.matches("content-length", name)
        case 16: bytes.matches("content-encoding", name)
        case 17: bytes.matches("transfer-encoding", name)
        default: false
        }
    }

    /// Returns whether the letters of a name contain the letters of a field that determines the end of the body.
    static func resemblesFraming(_ bytes: ByteView, name: Range<Int>) -> Bool {
        let letters = bytes.part(name).compactMap { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 ? byte | 0x20 : nil
        }
        return letters.indices.contains { index in
            letters[index...].starts(with: "contentlength".utf8)
                || letters[index...].starts(with: "transferencoding".utf8)
        }
    }

    // MARK: Values

    private mutating func noticeConnection(_ bytes: ByteView, _ value: Range<Int>) {
        Self.forEachElement(bytes, value) { element in
            if bytes.matches("close", element) { self.hasCloseOption = true }
            if bytes.matches("keep-alive", element) { self.hasKeepAliveOption = true }
        }
    }

    /// Records lengths: "a comma-separated list […], all values in the list are valid, and […] are the same" (RFC 9112 §6.3).
    private mutating func noticeContentLength(_ bytes: ByteView, _ value: Range<Int>, _ fault: HTTP1Violation?) {
        if let fault { return self.contentLengthFault = fault }
        Self.forEachElement(bytes, value) { element in
            if self.contentLengthFault != nil, self.contentLengthFault != .conflictingContentLengths { return }
            guard let length = Self.decimal(bytes, element) else {
                self.contentLengthFault = .invalidContentLength
                return
            }
            guard let first = self.contentLength else {
                self.contentLength = length
                return
            }
            self.isUnusual = true
            if first != length { self.contentLengthFault = .conflictingContentLengths }
        }
    }

    private mutating func noticeTransferEncoding(_ bytes: ByteView, _ value: Range<Int>, _ fault: HTTP1Violation?) {
        if let fault { self.syntaxFault = fault }
        var isIdentity = false
        Self.forEachElement(bytes, value) { element in
            if element.isEmpty { return }
            if bytes.matches("identity", element) {
                // RFC 2616 §3.6 defined `identity` as no coding at all, and old servers send it together with a length.
                (isIdentity, self.isUnusual) = (true, true)
            } else if bytes.matches("chunked", element) {
                if self.namesChunked { (self.repeatsChunked, self.isUnusual) = (true, true) }
                (self.isChunked, self.namesChunked, self.hasTransferEncoding) = (true, true, true)
            } else {
                (self.isChunked, self.isUnusual, self.hasTransferEncoding) = (false, true, true)
                self.namesOtherCoding = true
                self.noticeOtherCoding(bytes, element)
            }
        }
        guard !self.hasTransferEncoding, !isIdentity else { return }
        (self.isUnusual, self.hasTransferEncoding) = (true, true)
    }

    /// Records a transfer coding other than `chunked` and `identity`; after `chunked`, such a coding is not supported.
    private mutating func noticeOtherCoding(_ bytes: ByteView, _ element: Range<Int>) {
        let coding: TransferCoding? =
            switch element.count {
            case 4 where bytes.matches("gzip", element): .gzip
            // "A recipient SHOULD consider "x-gzip" to be equivalent to "gzip"" (RFC 9110 §8.4.1.3).
            case 6 where bytes.matches("x-gzip", element): .gzip
            case 7 where bytes.matches("deflate", element): .deflate
            default: nil
            }
        guard let coding, !self.namesChunked, self.transferCodings.append(coding) else {
            self.namesUnsupportedCoding = true
            return
        }
    }

    private static func forEachElement(_ bytes: ByteView, _ value: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = value.lowerBound
        for offset in value where bytes[offset] == UInt8(ascii: ",") {
            body(bytes.trimmed(start..<offset))
            start = offset + 1
        }
        body(bytes.trimmed(start..<value.upperBound))
    }

    private static func decimal(_ bytes: ByteView, _ range: Range<Int>) -> Int64? {
        var result: Int64 = 0
        for offset in range {
            let digit = bytes[offset] &- UInt8(ascii: "0")
            let (product, isTooLarge) = result.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(Int64(digit))
            guard digit <= 9, !isTooLarge, !overflows else { return nil }
            result = sum
        }
        return range.isEmpty ? nil : result
    }
}
