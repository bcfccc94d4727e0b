// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a redirect could not be followed.
@nonexhaustive
public enum RedirectFailure: Error, Hashable, Sendable {
    /// The server redirected the call more often than `limit` allows.
    case tooMany(limit: Int)
    /// The redirect leads to a method and URL that the call, or its latest retry, has already visited three times.
    case loop
    /// The redirect leads from `https` to `http`, where anyone on the way can read the traffic.
    case insecure
    /// The client cannot use `Location`, or a delegate's request in its place; the text gives a reason.
    case invalidLocation(String)
}

extension RedirectFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .tooMany(let limit): "the server redirected the call more than \(limit == 1 ? "once" : "\(limit) times")"
        case .loop: "the redirects form a loop"
        case .insecure: "the redirect leads from https to http, where others can read the traffic"
        case .invalidLocation(let reason): "the Location field cannot be followed: \(ForeignText.shown(reason))"
        }
    }
}
