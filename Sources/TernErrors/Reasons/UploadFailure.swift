// SPDX-License-Identifier: Apache-2.0

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

extension UploadFailure: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
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

/// Why a download could not be stored.
@nonexhaustive
public enum FileFailure: Error, Hashable, Sendable {
    /// The folder of the destination does not exist.
    case folderNotFound
    /// The destination exists, and the call was not allowed to replace it.
    case alreadyExists
    /// The destination is a directory.
    case isDirectory
    /// The destination exists and is not a regular file but a device, a socket or a pipe.
    case notAFile
    /// The file may not be written there.
    case notPermitted
    /// The disk, or the user's share of it, is full.
    case diskFull
    /// The destination is not a file URL.
    case notAFileURL
    /// Another failure; the number is the system's `errno`.
    case system(errno: Int32)
}

extension FileFailure: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .folderNotFound: "the folder does not exist"
        case .alreadyExists: "the destination exists already"
        case .isDirectory: "the destination is a directory"
        case .notAFile: "the destination is not a regular file"
        case .notPermitted: "writing there is not permitted"
        case .diskFull: "the disk is full"
        case .notAFileURL: "the destination is not a file URL"
        case .system(let errno): SystemError.text(errno)
        }
    }
}

/// How a response body was read in a way that it does not support.
@nonexhaustive
public enum BodyMisuse: Hashable, Sendable {
    /// Two tasks read the body at the same time; which bytes either would get is undefined, so the later one fails.
    case concurrentReads
    /// The body was discarded before, by `HTTPReply.discardBody()`.
    case discarded
    /// Whole messages were asked for of a WebSocket whose messages are taken in parts.
    case takenInParts
}

extension BodyMisuse: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .concurrentReads: "two tasks read it at the same time"
        case .discarded: "it was discarded before"
        case .takenInParts: "its messages are taken in parts"
        }
    }
}
