// SPDX-License-Identifier: Apache-2.0

/// The reason that a download begins again at the first byte, and drops the bytes that it had.
package enum RestartReason: Error, Hashable, Sendable {
    case recordMissing
    case recordUnusable(DownloadRecord.Problem)
    case fileMissing
    /// The partial file is shorter than its record claims.
    case fileTooShort(recorded: Int64, found: Int64)
    /// The only validator is a date, and the URL has another origin or path: different files often have the same date, and
    /// validators are unique only among the versions of one resource (RFC 9110 §8.8.1).
    case otherURL
    case noValidator(ResourceValidator.Absence)
    case resourceChanged(ResourceChange)
    /// The server apparently ignored `Range` and sent the whole representation.
    case rangeIgnored
    /// The server answered 416 without a valid length in `Content-Range`.
    case lengthUnknown
    case violation(RangeViolation)

    package var isResourceChange: Bool {
        if case .resourceChanged = self { true } else { false }
    }
}

/// A rule about ranges that a response breaks; the client never combines the content of such a response with the bytes on the disk.
package enum RangeViolation: Error, Hashable, Sendable {
    /// The content is multipart, but the request asked for one range.
    case multipart
    /// A part has a content coding, but the request accepts none.
    case contentCoded
    case contentRangeMissing
    case contentRangeMalformed
    case otherStart(requested: Int64, received: Int64)
    /// A part ends after the requested range, or after the known end of the representation.
    case otherEnd
    case contentLengthDiffers
    /// A part does not repeat the entity tag that the request named.
    case entityTagMissing
    case bodyTooLong
    /// The server answered 416, although the representation has bytes in the requested range.
    case rangeRefused
    /// The server answered 206 to a request without `Range`.
    case notRequested
    /// The status says that the content is the whole representation, but `Content-Range` and `Content-Length` do not confirm it.
    case wholeWithRange

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
