// SPDX-License-Identifier: Apache-2.0

/// What the fields of one section say about framing and persistence, and which others a client will ask for.
///
/// Filled during the scan. Faults are kept, not thrown, for whether they matter depends on the status and the method.
struct FramingFields: Sendable {
    /// The `Content-Length`, if one was given and well formed.
    private(set) var contentLength: Int64?
    /// What is wrong with the `Content-Length`.
    private(set) var contentLengthFault: HTTP1Violation?
    /// Whether the `Transfer-Encoding` named `chunked`.
    private(set) var isChunked = false
    /// Whether there was a `Transfer-Encoding` at all.
    private(set) var hasTransferEncoding = false
    /// Whether a `Connection` field held `close`.
    private(set) var saysClose = false
    /// Whether a `Connection` field held `keep-alive`.
    private(set) var saysKeepAlive = false
    /// Whether there was a field that must not be in a trailer section.
    private(set) var hasForbiddenTrailer = false
    /// Fields worth knowing of.
    private(set) var noticed: NoticedFields = []

    private var codingFault: HTTP1Violation?

    /// What is wrong with the `Transfer-Encoding`; one that names no coding is as unusable as an unknown one.
    var transferEncodingFault: HTTP1Violation? {
        self.hasTransferEncoding && !self.isChunked ? self.codingFault ?? .unsupportedTransferCoding : self.codingFault
    }

    /// Takes note of one field; lengths are compared first, so most names cost one jump.
    @inline(__always)
    mutating func notice(_ bytes: ByteView, name: Range<Int>, value: Range<Int>) {
        switch name.count {
        case 4, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18: self.noticeCandidate(bytes, name: name, value: value)
        default: break
        }
    }

    private mutating func noticeCandidate(_ bytes: ByteView, name: Range<Int>, value: Range<Int>) {
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
            if bytes.matches("content-length", name) { self.noticeContentLength(bytes, value) }
        case 16:
            if bytes.matches("content-encoding", name) {
                self.noticed.insert(.contentEncoding)
            } else if bytes.matches("www-authenticate", name) {
                self.noticed.insert(.wwwAuthenticate)
            }
        case 17:
            if bytes.matches("transfer-encoding", name) { self.noticeTransferEncoding(bytes, value) }
        case 18:
            if bytes.matches("proxy-authenticate", name) { self.noticed.insert(.proxyAuthenticate) }
        default: break
        }
        if Self.isForbiddenInTrailers(bytes, name: name) { self.hasForbiddenTrailer = true }
    }

    /// Whether a field may not be in a trailer section, for it steers framing, routing or how content is read.
    ///
    /// RFC 9110 §6.5.1: a sender must not generate a trailer field unless its definition permits that.
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

    // MARK: Values

    private mutating func noticeConnection(_ bytes: ByteView, _ value: Range<Int>) {
        Self.forEachElement(bytes, value) { element in
            if bytes.matches("close", element) { self.saysClose = true }
            if bytes.matches("keep-alive", element) { self.saysKeepAlive = true }
        }
    }

    /// RFC 9112 §6.3: without a Transfer-Encoding, an invalid Content-Length makes the framing invalid.
    ///
    /// Identical repeated values may be accepted (RFC 9110 §8.6); they are refused here, as a sign of two senders.
    private mutating func noticeContentLength(_ bytes: ByteView, _ value: Range<Int>) {
        Self.forEachElement(bytes, value) { element in
            guard let length = Self.decimal(bytes, element) else {
                self.contentLengthFault = .invalidContentLength
                return
            }
            guard let first = self.contentLength else {
                self.contentLength = length
                return
            }
            if self.contentLengthFault == .invalidContentLength { return }
            if first != length {
                self.contentLengthFault = .conflictingContentLengths
            } else if self.contentLengthFault == nil {
                self.contentLengthFault = .repeatedContentLength
            }
        }
    }

    /// RFC 9112 §6.1: codings are listed in the order applied, `chunked` once and last; empty elements are ignored.
    private mutating func noticeTransferEncoding(_ bytes: ByteView, _ value: Range<Int>) {
        self.hasTransferEncoding = true
        Self.forEachElement(bytes, value) { element in
            if element.isEmpty || self.codingFault != nil { return }
            if bytes.matches("chunked", element) {
                if self.isChunked { self.codingFault = .repeatedChunkedCoding }
                self.isChunked = true
            } else {
                self.codingFault = self.isChunked ? .chunkedNotFinal : .unsupportedTransferCoding
            }
        }
    }

    /// The elements of a comma-separated value, trimmed; an empty value is one empty element.
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
