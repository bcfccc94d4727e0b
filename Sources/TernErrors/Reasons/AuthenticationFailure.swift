// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// Why a call ended at a challenge, other than with the server's own 401 or 407.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
    /// A delegate cancelled the challenge.
    case cancelled
    /// No new token could be had; the text is the type of the error that the provider threw, not its content.
    case refreshFailed(type: String)
    /// The server's `Authentication-Info` is wrong: it does not know the password (RFC 7616 §3.5).
    case serverNotAuthentic
    /// The credential cannot be sent by this scheme, such as a user name with a colon by Basic (RFC 7617 §2).
    case credentialNotUsable(String)
    /// The signer of requests threw; the text is the type of its error, not its content.
    case signingFailed(type: String)
}

extension AuthenticationFailure: CustomStringConvertible, Described {
    /// What happened, in a few words.
    package var wording: String {
        switch self {
        case .cancelled: "the challenge was cancelled"
        case .refreshFailed(let type): "no new token could be had; the provider threw \(type)"
        case .serverNotAuthentic: "the server could not prove that it knows the password"
        case .credentialNotUsable(let reason): "the credential cannot be used: \(ForeignText.shown(reason))"
        case .signingFailed(let type): "the request could not be signed; the signer threw \(type)"
        }
    }
}
