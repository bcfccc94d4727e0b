// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The strong validator of a representation: it tells whether a later response has the same bytes (RFC 9110 §8.8.1).
package struct ResourceValidator: Hashable, Sendable {
    package enum Absence: Error, Hashable, Sendable {
        case noValidator
        /// There are several entity tags, or the tag is weak, too long, not in ASCII, or not in the form of RFC 9110 §8.8.3.
        case unusableEntityTag
        /// `Last-Modified` is the only validator, and it is malformed or not certainly strong (RFC 9110 §8.8.2.2).
        case weakDate
        /// `Accept-Ranges: none` (RFC 9110 §14.3), or the server sent the whole content in place of a range, without its length.
        case rangesRefused
        /// The content is coded, although the request accepts no coding; two coded forms of one content may differ.
        case contentCoded
        /// The status 203 says that a proxy has changed the content (RFC 9110 §15.3.4).
        case transformed
    }

    /// Usual tags have fewer than 100 bytes; the limit keeps the record of a download small.
    package static let maximumEntityTagByteCount = 4096
    /// The minimum from `Last-Modified` to `Date`: RFC 9110 §8.8.2.2 asks for "enough difference" between two clocks, and a proxy
    /// may write `Date` by its own; RFC 7232 §2.2.2 asked for 60 seconds.
    package static let minimumSecondCount: Int64 = 60

    /// Includes the quotation marks.
    package let entityTag: String?
    package let lastModified: HTTPDate?
    /// The `Date` of the response, which makes ``lastModified`` strong if there is no entity tag.
    package let date: HTTPDate?

    /// Returns `nil` unless the entity tag is strong, or there is none and `date` makes `lastModified` strong.
    package init?(entityTag: String?, lastModified: HTTPDate?, date: HTTPDate?) {
        guard entityTag.map(Self.isStrong) ?? Self.isStrong(lastModified, date) else { return nil }
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.date = date
    }

    /// Creates the validator of a response; `now` decides the century of a date with a year of two digits.
    package init(_ fields: HTTPFields, now: HTTPDate) throws(Absence) {
        self.lastModified = Self.date(.lastModified, in: fields, now)
        self.date = Self.date(.date, in: fields, now)
        guard !fields.contains(.eTag) else {
            // "A client MUST NOT generate an If-Range header field containing an HTTP-date unless […] the client has no
            // entity tag for the corresponding representation" (RFC 9110 §13.1.5). So the date does not replace a weak
            // tag.
            let values = fields[values: .eTag]
            guard values.count == 1, Self.isStrong(values[0]) else { throw .unusableEntityTag }
            self.entityTag = values[0]
            return
        }
        self.entityTag = nil
        guard fields.contains(.lastModified) else { throw .noValidator }
        guard Self.isStrong(self.lastModified, self.date) else { throw .weakDate }
    }

    /// The value of `If-Range` (RFC 9110 §13.1.5).
    package var condition: String { self.entityTag ?? self.lastModified?.description ?? "" }

    /// Returns the change that a later response shows, by the strong comparison of tags (RFC 9110 §8.8.3.2); validators that the
    /// response does not have prove nothing.
    package func change(in fields: HTTPFields, now: HTTPDate) -> ResourceChange? {
        if fields.contains(.eTag), fields[values: .eTag] != [self.entityTag ?? ""] { return .entityTag }
        guard let lastModified = self.lastModified, fields.contains(.lastModified) else { return nil }
        return Self.date(.lastModified, in: fields, now) == lastModified ? nil : .lastModified
    }

    // MARK: Strength

    /// Checks `opaque-tag = DQUOTE *etagc DQUOTE` (RFC 9110 §8.8.3); refuses bytes outside of ASCII, which may change when the
    /// tag becomes text.
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard (2...Self.maximumEntityTagByteCount).contains(bytes.count), bytes.first == UInt8(ascii: "\""),
            bytes.last == UInt8(ascii: "\"")
        else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || 0x23...0x7E ~= $0 }
    }

    private static func isStrong(_ lastModified: HTTPDate?, _ date: HTTPDate?) -> Bool {
        guard let lastModified, let date else { return false }
        let (seconds, overflows) = date.secondsSince1970.subtractingReportingOverflow(lastModified.secondsSince1970)
        return !overflows && seconds >= Self.minimumSecondCount
    }

    private static func date(_ name: HTTPField.Name, in fields: HTTPFields, _ now: HTTPDate) -> HTTPDate? {
        let values = fields[values: name]
        return values.count == 1 ? HTTPDate(values[0], now: now) : nil
    }
}

package enum ResourceChange: Hashable, Sendable {
    case entityTag
    case lastModified
    case completeLength
    /// The digest of the representation differs (RFC 9530 §3).
    case digest
}
