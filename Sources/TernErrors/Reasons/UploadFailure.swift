// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// Why a request body could not be produced.
@nonexhaustive
public enum UploadFailure: Hashable, Sendable {
    /// The file does not exist.
    case fileNotFound
    /// The path names a directory or something else that is not a regular file.
    case notAFile
    /// The file may not be read; the number is the system's `errno`.
    case unreadable(errno: Int32)
    /// The file became shorter while it was sent; a file that is part of a form, also longer.
    case fileChanged
    /// The stream gave another number of bytes than announced.
    case lengthMismatch(announced: Int64)
    /// The caller's stream threw; the text is the error's type, not its content.
    case streamFailed(type: String)
    /// The body must be sent a second time, and the stream cannot be read twice.
    case notReplayable
    /// A piece was written when the call had ended, or the server had answered without it.
    case notNeeded
    /// A piece was written behind the end of the body.
    case finished
}

extension UploadFailure: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .fileNotFound: "the file does not exist"
        case .notAFile: "the path does not name a regular file"
        case .unreadable(let errno): "the file cannot be read (\(SystemError.text(errno)))"
        case .fileChanged: "the file changed its length while it was sent"
        case .lengthMismatch(let announced): "the stream did not give the \(announced) bytes that were announced"
        case .streamFailed(let type): "the stream threw \(type)"
        case .notReplayable: "the stream cannot be read a second time"
        case .notNeeded: "the call needs no more of the body"
        case .finished: "the body was finished before"
        }
    }
}
