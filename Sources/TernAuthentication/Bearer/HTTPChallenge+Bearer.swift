// SPDX-License-Identifier: Apache-2.0

/// Why a server refused a bearer token (RFC 6750 §3.1).
public struct BearerError: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The request lacks a parameter, repeats one or has two tokens; comes with 400.
    public static let invalidRequest = BearerError(rawValue: "invalid_request")
    /// The token expired, was revoked or is broken; comes with 401, and another token may do.
    public static let invalidToken = BearerError(rawValue: "invalid_token")
    /// The token is good, but not for this; comes with 403.
    public static let insufficientScope = BearerError(rawValue: "insufficient_scope")

    /// The code as the server sent it.
    public let rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: the code; compared byte by byte.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code.
    public var description: String { self.rawValue }
}

extension HTTPChallenge {
    /// Why the token was refused; `nil` if the request had none (RFC 6750 §3.1), or if the scheme is not Bearer.
    public var bearerError: BearerError? {
        self.scheme == .bearer ? self["error"].map(BearerError.init(rawValue:)) : nil
    }

    /// The server's explanation for developers; `nil` if there is none, or if the scheme is not Bearer.
    public var bearerErrorDescription: String? { self.scheme == .bearer ? self["error_description"] : nil }

    /// What a token has to be good for (RFC 6750 §3); empty if the server does not say, or if the scheme is not Bearer.
    public var bearerScopes: [String] {
        guard self.scheme == .bearer else { return [] }
        return (self["scope"] ?? "").split(separator: " ").map(String.init)
    }
}
