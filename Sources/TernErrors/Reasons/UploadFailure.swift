// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a request body or a WebSocket message could not be sent, or that an upload could not be completed.
@nonexhaustive
public enum UploadFailure: Hashable, Sendable {
    /// The file does not exist.
    case fileNotFound
    /// The path names a directory or something else that is not a regular file.
    case notAFile
    /// This process cannot read the file; the number is the system's `errno`.
    case unreadable(errno: Int32)
    /// The file became shorter, or could not be read further, while Tern was reading it, or, in a resumable upload, has changed.
    ///
    /// A file that became longer counts in some cases, too, such as in a form or with compression.
    case fileChanged
    /// The stream produced more or fewer bytes than the program had announced.
    case lengthMismatch(announced: Int64)
    /// The source of the body or message, such as a stream or a closure for trailers, failed with an error of this type.
    case streamFailed(type: String)
    /// The client must read the body a second time, as after a redirect, but the stream can be read only once.
    case notReplayable
    /// The program wrote a piece of a body that is not needed, for example because the call has ended.
    case notNeeded
    /// The program ended the body before the client took this piece.
    case finished
    /// The server no longer has the upload, and may have completed it, so the client does not send the file again.
    case completionUnknown
    /// The server lost the upload twice in one call.
    case uploadLost
    /// The file, or even a small part, is too long for the server; the limit, in bytes, is `nil` if the server did not send it.
    case tooLarge(limit: Int64?)
    /// The file is shorter than the server accepts; the limit is in bytes.
    case tooSmall(limit: Int64)
    /// The server repeatedly refused bytes at the offset that it had named, or did not complete the upload.
    case offsetsDiffer
    /// The server repeatedly received other bytes than the client sent.
    case damaged
    /// The server seems not to support the protocol for resumable uploads, or the version of it, that the call uses.
    case notResumable
}

extension UploadFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .fileNotFound: "the file to send does not exist"
        case .notAFile: "the file to send is not a regular file"
        case .unreadable(let errno): "the file to send cannot be read: \(SystemError.text(errno))"
        case .fileChanged: "the file changed before the client had sent all of it"
        case .lengthMismatch(let announced): "the stream did not produce the announced \(Sentence.bytes(announced))"
        case .streamFailed(let type): "the stream, or the closure that computes the trailers, threw \(type)"
        case .notReplayable: "the body had to be read twice, but its stream can be read only once"
        case .notNeeded: "the call had ended, or the server had stopped reading the body"
        case .finished:
            "a piece of the body was not sent: the program had already ended the body"
        case .completionUnknown:
            "the server no longer knows the upload, perhaps because it is complete; check if it has arrived"
        case .uploadLost: "the server lost the upload twice"
        case .tooLarge(let limit?): "the file is longer than \(Sentence.bytes(limit)), the limit of the server"
        case .tooLarge(nil): "the file is longer than the server accepts"
        case .tooSmall(let limit): "the file is shorter than \(Sentence.bytes(limit)), the minimum of the server"
        case .offsetsDiffer:
            "the server repeatedly refused bytes at the offset that it had named, or did not complete the upload"
        case .damaged: "the server repeatedly received other bytes than the client sent"
        case .notResumable: "the server does not support the protocol for resumable uploads"
        }
    }
}
