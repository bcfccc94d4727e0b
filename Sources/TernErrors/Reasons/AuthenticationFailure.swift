// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a call ended at a challenge with an error, and not with the response 401 or 407.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
    /// A delegate cancelled the challenge.
    case cancelled
    /// The provider could not refresh the token; the text is the type of the error that it threw, not its content.
    case refreshFailed(type: String)
    /// The server's `Authentication-Info` is wrong: the server does not know the password (RFC 7616 §3.5).
    case serverNotAuthentic
    /// The scheme cannot send this credential: for example, Basic cannot send a user name with a colon (RFC 7617 §2).
    case credentialNotUsable(String)
    /// The request signer threw; the text is the type of its error, not its content.
    case signingFailed(type: String)
}

extension AuthenticationFailure: CustomStringConvertible, Described {
    /// A short description of what happened.
    package var wording: String {
        switch self {
        case .cancelled: "the challenge was cancelled"
        case .refreshFailed(let type): "the token could not be refreshed; the provider threw \(type)"
        case .serverNotAuthentic: "the server could not prove that it knows the password"
        case .credentialNotUsable(let reason): "the credential cannot be used: \(ForeignText.shown(reason))"
        case .signingFailed(let type): "the request could not be signed; the signer threw \(type)"
        }
    }
}
