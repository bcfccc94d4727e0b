// SPDX-License-Identifier: Apache-2.0
public import TernErrors
import TernTransport
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a file of cookies cannot be used.
@nonexhaustive
public enum CookieFileError: Error, Hashable, Sendable {
    /// There is something else in it, which must not be written over; perhaps the name is wrong.
    case foreign
    /// It is longer than any that the client writes: 64 MiB.
    case tooLong
    /// It cannot be read, or not be written.
    case file(FileFailure)

    /// What 3000 of the longest cookies need, and more.
    static let maximumByteCount = 64 << 20
}

extension CookieFileError: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .foreign: "the file is no file of cookies"
        case .tooLong: "the file is too long to be a file of cookies"
        case .file(let failure): failure.description
        }
    }
}

extension CookieFileError: LocalizedError, Explained {
    /// One English sentence that an app may show; its wording is not stable.
    package var sentence: String {
        switch self {
        case .foreign: "The file holds something other than cookies; choose another name."
        case .tooLong: "The file is too long to be a file of cookies."
        case .file(let failure): "The file of cookies could not be used because \(failure.cause)."
        }
    }
}
