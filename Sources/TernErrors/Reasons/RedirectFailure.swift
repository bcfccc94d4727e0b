// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// Why a redirect was not followed although it should have been.
@nonexhaustive
public enum RedirectFailure: Error, Hashable, Sendable {
    /// There were more than the limit.
    case tooMany(limit: Int)
    /// It leads, for the third time, to where the call was before.
    case loop
    /// It leads from `https` to `http`, where everybody on the way can read.
    case insecure
    /// `Location` is no URL that a request can go to; the text says why.
    case invalidLocation(String)
}

extension RedirectFailure: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .tooMany(let limit): "there were more than \(limit)"
        case .loop: "they lead in a circle"
        case .insecure: "it leads from https to http; allow that in the redirect policy if you must"
        case .invalidLocation(let reason): "its Location cannot be followed: \(ForeignText.shown(reason))"
        }
    }
}
