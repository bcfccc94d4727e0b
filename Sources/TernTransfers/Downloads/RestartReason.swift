// SPDX-License-Identifier: Apache-2.0

/// The reason that a download begins again at the first byte, and drops the bytes that it had.
package enum RestartReason: Error, Hashable, Sendable {
    /// There is a partial file, but no record that says what its bytes are.
    case recordMissing
    /// The record cannot be used.
    case recordUnusable(DownloadRecord.Problem)
    /// There is a record, but no partial file.
    case fileMissing
    /// The partial file is shorter than its record says, so another program has changed it.
    case fileTooShort(recorded: Int64, found: Int64)
    /// The only validator is a date, and the origin or the path of the URL differs from that in the record.
    ///
    /// Strong validators are unique among the versions of one resource (RFC 9110 §8.8.1). Different files often have
    /// the same date, but hardly ever the same entity tag.
    case otherURL
    /// The client cannot continue the interrupted response, for example because it had no strong validator.
    case noValidator(ResourceValidator.Absence)
    /// The resource has changed.
    case resourceChanged(ResourceChange)
    /// The server ignored `Range` and sent the whole representation.
    case rangeIgnored
    /// The server answered 416, and the client cannot tell whether it has all bytes.
    case lengthUnknown
    /// The server broke a rule about ranges.
    case violation(RangeViolation)

    /// Whether the bytes so far belong to an earlier version of the resource, so that progress starts at zero again.
    package var isResourceChange: Bool {
        if case .resourceChanged = self { true } else { false }
    }
}

/// A rule about ranges that a response breaks.
///
/// The content of such a response is never combined with the bytes on the disk.
package enum RangeViolation: Error, Hashable, Sendable {
    /// The content of a 206 has several parts, but the request asked for one range.
    case multipart
    /// The content of a 206 has a content coding, but the request accepts none.
    case contentCoded
    /// A 206 has no `Content-Range`.
    case contentRangeMissing
    /// `Content-Range` is malformed.
    case contentRangeMalformed
    /// The content of a 206 does not begin where the requested range begins.
    case otherStart(requested: Int64, received: Int64)
    /// The content of a 206 ends after the requested range, or after the known end of the representation.
    case otherEnd
    /// `Content-Length` differs from the number of bytes in `Content-Range`.
    case contentLengthDiffers
    /// A 206 does not repeat the entity tag that the request named.
    case entityTagMissing
    /// The body has more bytes than its head announced.
    case bodyTooLong
    /// The server answered 416, although the representation has bytes in the requested range.
    case rangeRefused
    /// The server answered 206 to a request without `Range`.
    case notRequested
    /// The status says that the content is the whole representation, and `Content-Range` or `Content-Length` says that
    /// it is only a part.
    case wholeWithRange

    /// The section of RFC 9110 that states the rule.
    package var section: String {
        switch self {
        case .multipart: "§15.3.7.2"
        case .contentCoded: "§12.5.3"
        case .contentRangeMissing: "§15.3.7.1"
        case .contentRangeMalformed, .contentLengthDiffers: "§14.4"
        case .otherStart, .otherEnd: "§15.3.7"
        case .entityTagMissing: "§15.3.7"
        case .bodyTooLong: "§8.6"
        case .rangeRefused: "§15.5.17"
        case .notRequested: "§15.3.7"
        case .wholeWithRange: "§14.4"
        }
    }
}
