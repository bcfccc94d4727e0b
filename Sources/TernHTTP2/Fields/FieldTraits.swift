// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The properties of a received field that matter to a client, determined once, and stored in the HPACK tables.
///
/// The lowest bits are those of `NoticedFields`, so that the union of all traits contains them.
package struct FieldTraits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A field that controls framing, routing or the decoding of content (RFC 9110 §6.5.1).
    static let notInTrailers = FieldTraits(rawValue: 1 << 7)
    static let contentLength = FieldTraits(rawValue: 1 << 8)
    static let status = FieldTraits(rawValue: 1 << 9)
    /// Any other pseudo-field: its name begins with a colon.
    static let otherPseudoField = FieldTraits(rawValue: 1 << 10)
    /// A connection-specific field, which HTTP/2 does not allow (RFC 9113 §8.2.2).
    static let connectionSpecific = FieldTraits(rawValue: 1 << 11)
    static let invalidName = FieldTraits(rawValue: 1 << 12)
    static let invalidValue = FieldTraits(rawValue: 1 << 13)

    /// The traits of fields that the list must check or store separately.
    static let remarkable: FieldTraits = [
        .contentLength, .status, .otherPseudoField, .connectionSpecific, .invalidName, .invalidValue,
    ]
    static let pseudoField: FieldTraits = [.status, .otherPseudoField]
    private static let ofValue: FieldTraits = [.invalidValue]

    var ofName: FieldTraits { self.subtracting(Self.ofValue) }

    var noticedFields: NoticedFields { NoticedFields(rawValue: UInt8(truncatingIfNeeded: self.rawValue & 0x3F)) }

    private init(_ noticed: NoticedFields) { self.init(rawValue: UInt16(noticed.rawValue)) }

    /// Determines the traits of a name, which must be a token: "A field name MUST NOT contain characters in the ranges 0x00-0x20,
    /// 0x41-0x5a, or 0x7f-0xff" (RFC 9113 §8.2.1), and only pseudo-fields "have a name that starts with a single colon".
    init(name range: Range<Int>, in bytes: ByteView) {
        guard range.count > 0 else {
            self = .invalidName
            return
        }
        var offset = range.lowerBound
        let isPseudoField = bytes[offset] == UInt8(ascii: ":")
        if isPseudoField { offset += 1 }
        while offset < range.upperBound, ByteView.isTokenByte(bytes[offset]), !(0x41...0x5A ~= bytes[offset]) {
            offset += 1
        }
        if offset < range.upperBound {
            self = .invalidName
        } else if isPseudoField {
            self = bytes.matches(":status", range) ? .status : .otherPseudoField
        } else {
            self = Self.known(bytes, range)
        }
    }

    /// Determines the traits of a value, which "MUST NOT contain the zero value (ASCII NUL, 0x00), line feed (ASCII LF, 0x0a), or
    /// carriage return" (RFC 9113 §8.2.1); like Go, Tern also refuses all other control characters except the tab.
    init(value range: Range<Int>, in bytes: ByteView) {
        let isText = bytes.endOfText(from: range.lowerBound, to: range.upperBound) == range.upperBound
        self = isText ? [] : .invalidValue
    }

    private static func known(_ bytes: ByteView, _ range: Range<Int>) -> FieldTraits {
        switch range.count {
        case 4: if bytes.matches("host", range) { return .notInTrailers }
        case 7:
            if bytes.matches("upgrade", range) { return .connectionSpecific }
            if bytes.matches("trailer", range) { return .notInTrailers }
        case 8: if bytes.matches("location", range) { return FieldTraits(.location) }
        case 10:
            if bytes.matches("set-cookie", range) { return FieldTraits(.setCookie) }
            if bytes.matches("connection", range) || bytes.matches("keep-alive", range) { return .connectionSpecific }
        case 11: if bytes.matches("retry-after", range) { return FieldTraits(.retryAfter) }
        case 12: if bytes.matches("content-type", range) { return .notInTrailers }
        case 13: if bytes.matches("content-range", range) { return .notInTrailers }
        case 14: if bytes.matches("content-length", range) { return [.contentLength, .notInTrailers] }
        case 16:
            if bytes.matches("content-encoding", range) { return [FieldTraits(.contentEncoding), .notInTrailers] }
            if bytes.matches("www-authenticate", range) { return FieldTraits(.wwwAuthenticate) }
            if bytes.matches("proxy-connection", range) { return .connectionSpecific }
        case 17: if bytes.matches("transfer-encoding", range) { return .connectionSpecific }
        case 18: if bytes.matches("proxy-authenticate", range) { return FieldTraits(.proxyAuthenticate) }
        default: break
        }
        return []
    }
}
