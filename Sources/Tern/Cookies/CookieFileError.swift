// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
import TernTransport
public import TernValues

/// The reason why a cookie file cannot be used.
@nonexhaustive
public enum CookieFileError: Error, Hashable, Sendable {
    /// The file has text, but no intact line of a cookie store. A new ``FileCookieStore`` refuses it: the URL may be wrong.
    case foreign
    /// The file is longer than 64 MiB; with the default limits, the file of a store is shorter.
    case tooLong
    /// The file cannot be read or written.
    case file(FileFailure)

    /// The maximum length of a cookie file, in bytes; 3,000 cookies of maximum length, the default limit, are shorter.
    ///
    /// Beyond it, reading it throws ``tooLong``.
    static let maximumByteCount = 64 << 20
}

extension CookieFileError: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .foreign: "the file is not a cookie file"
        case .tooLong: "the file is too long for a cookie file"
        case .file(.folderNotFound): "the folder of the cookie file does not exist"
        case .file(.isDirectory): "the path of the cookie file names a folder"
        case .file(.notAFile): "the path of the cookie file names a device or another special file"
        case .file(.notPermitted):
            "this process does not have permission to use the cookie file, or another user owns it or can write to it"
        case .file(.notAFileURL): "the URL of the cookie file does not name a file"
        case .file(.alreadyExists): "the cookie file already exists"
        case .file(.inUse): "another process uses the cookie file"
        // The disk is full, or another failure of the system: the text has a subject of its own.
        case .file(let failure): failure.description
        }
    }
}

extension CookieFileError: LocalizedError, Explained {
    /// An English sentence that an app may show; its wording is not stable.
    package var sentence: String {
        switch self {
        case .foreign: "The file is not a cookie file; choose another file."
        case .tooLong: "The file is too long for a cookie file; choose another file."
        case .file(.notPermitted):
            "The cookie file could not be used because the app does not have permission, or because other users can "
                + "change the file."
        case .file(let failure): "The cookie file could not be used because \(failure.cause)."
        }
    }
}
