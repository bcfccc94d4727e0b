// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a request body could not be produced.
@nonexhaustive
public enum UploadFailure: Hashable, Sendable {
    /// The file does not exist.
    case fileNotFound
    /// The path names a directory or something else that is not a regular file.
    case notAFile
    /// This process cannot read the file; the number is the system's `errno`.
    case unreadable(errno: Int32)
    /// The file became shorter while the client was sending it.
    ///
    /// For a file that is part of a form, is compressed, or has trailers that are computed from its content, this case
    /// also reports that the file became longer.
    case fileChanged
    /// The stream produced more or fewer bytes than the program had announced.
    case lengthMismatch(announced: Int64)
    /// The caller's stream, or a closure that computes the trailers, threw an error; `type` is the error's type,
    /// without its content.
    case streamFailed(type: String)
    /// The client must send the body a second time, but the stream cannot be read twice.
    case notReplayable
    /// The program wrote a piece of the body after the call had ended, or after the server had answered and stopped
    /// reading the body.
    case notNeeded
    /// The program wrote a piece after the end of the body.
    case finished
}

extension UploadFailure: CustomStringConvertible, Described {
    /// A short description of what happened.
    package var wording: String {
        switch self {
        case .fileNotFound: "the file to send does not exist"
        case .notAFile: "the file to send is not a regular file"
        case .unreadable(let errno): "the file to send cannot be read: \(SystemError.text(errno))"
        case .fileChanged: "the length of the file changed while the client sent it"
        case .lengthMismatch(let announced): "the stream did not produce the announced \(Sentence.bytes(announced))"
        case .streamFailed(let type): "the stream, or the closure that computes the trailers, threw \(type)"
        case .notReplayable: "the body had to be sent again, but its stream cannot be read a second time"
        case .notNeeded: "the call had ended, or the server had stopped reading the body"
        case .finished: "the program wrote more after the end of the body"
        }
    }
}
