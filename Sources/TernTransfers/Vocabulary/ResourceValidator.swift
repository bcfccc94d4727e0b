// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The strong validator of a representation: it tells whether a later response has the same bytes (RFC 9110 §8.8.1).
///
/// A weak validator does not promise the same bytes, so it never becomes a value of this type.
package struct ResourceValidator: Hashable, Sendable {
    /// The reason that a response has no strong validator.
    package enum Absence: Error, Hashable, Sendable {
        /// The response has neither `ETag` nor `Last-Modified`.
        case noValidator
        /// The entity tag is weak, longer than the limit, or not in the form of RFC 9110 §8.8.3.
        case unusableEntityTag
        /// `Last-Modified` is the only validator, and it is not strong (RFC 9110 §8.8.2.2).
        case weakDate
        /// `Accept-Ranges: none` says that the server does not answer requests for ranges (RFC 9110 §14.3).
        case rangesRefused
        /// The content has a content coding, although the request accepts none. Two coded forms of one content may
        /// differ.
        case contentCoded
        /// A proxy has changed the content: the response has status 203 (RFC 9110 §15.3.4).
        case transformed
    }

    /// The maximum length of an entity tag, in bytes.
    ///
    /// Usual tags have fewer than 100 bytes. The limit keeps the record of a download small.
    package static let maximumEntityTagByteCount = 4096
    /// The minimum number of seconds from `Last-Modified` to `Date`.
    ///
    /// RFC 9110 §8.8.2.2 asks for one second if both dates come from one clock, and otherwise for "enough difference".
    /// A proxy may write `Date` by its own clock, and the client cannot see that. 60 seconds is the difference that RFC
    /// 7232 §2.2.2 asked for.
    package static let minimumSecondCount: Int64 = 60

    /// The strong entity tag, with its quotation marks; `nil` if the response has no entity tag.
    package let entityTag: String?
    /// The date of `Last-Modified`, if it is known.
    package let lastModified: HTTPDate?
    /// The `Date` of the response that the validator comes from.
    ///
    /// If there is no entity tag, this date makes ``lastModified`` strong.
    package let date: HTTPDate?

    /// Creates a validator from parts.
    ///
    /// - Parameters:
    ///   - entityTag: The entity tag. The result is `nil` if it is not a strong one.
    ///   - lastModified: The date of `Last-Modified`.
    ///   - date: The `Date` of the same response. Without an entity tag, the result is `nil` unless this date makes
    ///     `lastModified` strong.
    package init?(entityTag: String?, lastModified: HTTPDate?, date: HTTPDate?) {
        guard entityTag.map(Self.isStrong) ?? Self.isStrong(lastModified, date) else { return nil }
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.date = date
    }

    /// Creates the validator of a response.
    ///
    /// - Parameters:
    ///   - fields: The fields of the response.
    ///   - now: The current time, which decides the century of a date with a year of two digits.
    /// - Throws: ``Absence`` if the response has no strong validator.
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

    /// Returns the change of the representation that a later response shows.
    ///
    /// Entity tags are compared strongly: "two entity tags are equivalent if both are not weak and their opaque-tags
    /// match character-by-character" (RFC 9110 §8.8.3.2). Validators that the response does not have prove nothing.
    ///
    /// - Parameters:
    ///   - fields: The fields of the later response.
    ///   - now: The current time, which decides the century of a date with a year of two digits.
    /// - Returns: The change; `nil` if the response shows none.
    package func change(in fields: HTTPFields, now: HTTPDate) -> ResourceChange? {
        if fields.contains(.eTag), fields[values: .eTag] != [self.entityTag ?? ""] { return .entityTag }
        guard let lastModified = self.lastModified, fields.contains(.lastModified) else { return nil }
        return Self.date(.lastModified, in: fields, now) == lastModified ? nil : .lastModified
    }

    // MARK: Strength

    /// Returns whether a text is a strong entity tag: `opaque-tag = DQUOTE *etagc DQUOTE` (RFC 9110 §8.8.3).
    ///
    /// Returns `false` for a tag with bytes outside of ASCII. The grammar allows them, but such a tag may change when
    /// it becomes text.
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

/// The property of a response that shows that the resource has changed since an earlier response.
package enum ResourceChange: Hashable, Sendable {
    /// The entity tag differs.
    case entityTag
    /// The date of `Last-Modified` differs.
    case lastModified
    /// The complete length differs.
    case completeLength
    /// The digest of the representation differs (RFC 9530 §3).
    case digest
}
