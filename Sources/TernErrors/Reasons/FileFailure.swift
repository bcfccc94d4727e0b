// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a file could not be used, such as the destination of a download, or the record of a resumable upload.
@nonexhaustive
public enum FileFailure: Error, Hashable, Sendable {
    /// The folder of the file, or the file itself, does not exist.
    case folderNotFound
    /// The file exists, and the call was not allowed to replace it.
    case alreadyExists
    /// The path names a directory.
    case isDirectory
    /// The path names neither a regular file nor a directory: for example, a device or a socket.
    case notAFile
    /// The client may not use the file, or refuses to: for example, because another user owns or may change it or its folder.
    case notPermitted
    /// Another call or process uses the file: for example, it is downloading to the same destination.
    case inUse
    /// The disk or the user's quota is full, or the system does not allow a file of this length.
    case diskFull
    /// The URL is not a file URL.
    case notAFileURL
    /// Another failure; the number is the system's `errno`.
    case system(errno: Int32)
}

extension FileFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .folderNotFound: "the folder of the file does not exist"
        case .alreadyExists: "the file already exists"
        case .isDirectory: "the path names a folder"
        case .notAFile: "the path names a device or another special file"
        case .notPermitted:
            "this process does not have permission, or the file belongs to another user or is a special file"
        case .inUse: "another transfer or process uses the file at present"
        case .diskFull: "there is no room for the file on the disk, or it is too long for the disk"
        case .notAFileURL: "the URL does not name a file"
        case .system(let errno): SystemError.text(errno)
        }
    }
}
