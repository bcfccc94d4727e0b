// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Why a file of cookies cannot be used.
@nonexhaustive
public enum CookieFileFailure: Error, Hashable, Sendable {
    /// There is something else in it, which must not be written over; perhaps the name is wrong.
    case foreign
    /// It is longer than any that the client writes: 64 MiB.
    case tooLong
    /// It cannot be read, or not be written.
    case file(FileFailure)

    /// What 3000 of the longest cookies need, and more.
    static let maximumByteCount = 64 << 20
}

extension CookieFileFailure: CustomStringConvertible {
    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .foreign: "the file is no file of cookies"
        case .tooLong: "the file is too long to be a file of cookies"
        case .file(let failure): failure.description
        }
    }
}
