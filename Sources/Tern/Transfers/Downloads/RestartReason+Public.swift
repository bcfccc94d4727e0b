// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransfers

extension DownloadRestart {
    init(_ reason: RestartReason) {
        self =
            switch reason {
            case .recordMissing, .recordUnusable: .recordUnusable
            case .fileMissing, .fileTooShort: .partialFileChanged
            case .otherURL: .otherURL
            case .noValidator: .noValidator
            case .resourceChanged: .resourceChanged
            case .rangeIgnored: .rangesNotSupported
            case .lengthUnknown, .violation: .invalidPart
            }
    }
}

extension RangeViolation {
    var wording: String {
        switch self {
        case .multipart: "the answer to a request for one range has several parts"
        case .contentCoded: "a part of the content is encoded, although the request accepts no content coding"
        case .contentRangeMissing: "a partial response has no Content-Range"
        case .contentRangeMalformed: "the Content-Range of a partial response is malformed"
        case .otherStart(let requested, let received):
            "the request asks for the bytes from \(requested) on, and the response begins with byte \(received)"
        case .otherEnd: "a partial response has more bytes than the request asks for"
        case .contentLengthDiffers: "the Content-Length and the Content-Range of a partial response differ"
        case .entityTagMissing: "a partial response does not repeat the entity tag"
        case .bodyTooLong: "the body has more bytes than the server announced"
        case .rangeRefused: "the server refuses a range that the resource has"
        case .notRequested: "the server sent a part of the content, although the request asks for no range"
        case .wholeWithRange: "the status says that the content is whole, and the Content-Range says that it is a part"
        }
    }
}

extension RestartReason {
    /// The section and the reason of `ClientError.protocolViolation`, when a download would begin again twice.
    var violation: (section: String, reason: String) {
        switch self {
        case .violation(let violation): ("RFC 9110 \(violation.section)", violation.wording)
        case .lengthUnknown:
            ("RFC 9110 §15.5.17", "the server refuses the range, and does not state the length of the resource")
        default:
            ("RFC 9110 §13.1.5", "the resource has changed, but the server did not answer with the whole resource")
        }
    }
}

extension UnsuitableRequest {
    var wording: String {
        switch self {
        case .method: "its method is not GET"
        case .body: "it has a body"
        case .range: "it has the field Range or If-Range, which the client sets itself"
        }
    }
}
