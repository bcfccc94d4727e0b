// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransfers

extension UploadRestart {
    init(_ reason: UploadRestartReason) {
        self =
            switch reason {
            case .recordUnusable: .recordUnusable
            case .otherResource: .otherURL
            case .otherProtocol: .otherProtocol
            case .fileChanged: .fileChanged
            case .expired: .expired
            case .gone: .uploadLost
            }
    }
}

extension UploadFailure {
    init(_ end: ResumableUploadFailure) {
        self =
            switch end {
            case .fileChanged: .fileChanged
            case .completionUnknown: .completionUnknown
            case .lostTwice: .uploadLost
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .tooSmall(let limit): .tooSmall(limit: limit)
            case .conflict: .offsetsDiffer
            case .checksumMismatch: .damaged
            case .unsupported: .notResumable
            case .interrupted, .refused, .violation, .fileFailed: .uploadLost  // these have errors of their own
            }
    }
}

extension UploadViolation {
    /// The document that contains the rule, for `ClientError.protocolViolation`.
    var section: String {
        switch self {
        case .tusVersion: "tus 1.0.0, Tus-Resumable"
        default: "Resumable Uploads for HTTP, or tus 1.0.0"
        }
    }

    var wording: String {
        switch self {
        case .offsetMissing: "a response to the upload has no valid Upload-Offset"
        case .offsetDecreased(let acknowledged, let received):
            "the server had \(acknowledged) bytes of the file, and now has only \(received)"
        case .offsetPastEnd(let end, let received):
            "the server says that it has \(received) bytes, although it can have at most \(end)"
        case .otherLength(let file, let received):
            "the file has \(file) bytes, and the server expects \(received)"
        case .incompleteCompletion(let received):
            "the server says that the upload is complete, although it has only \(received) bytes"
        case .location(let violation): violation.wording
        case .limits: "no request can meet the limits of the server"
        case .partsTooShort(let limit):
            "the server allows only \(limit) bytes in a request, so the file would take too many requests"
        case .tooManyRedirects: "the server redirects the requests for the upload too often"
        case .tusVersion: "a response has no Tus-Resumable, or another version than 1.0.0"
        }
    }
}

extension LocationViolation {
    fileprivate var wording: String {
        switch self {
        case .missing: "the response that creates an upload must have one Location"
        case .malformed: "the Location of the upload is not a valid http or https URL"
        case .tooLong: "the Location of the upload is too long"
        case .insecure: "the Location of the upload leads from https to http"
        case .changed: "the server named another Location for the same upload"
        }
    }
}
