// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a call failed during authentication.
///
/// The call can fail before the client sends the request, or after a response has arrived; the caller then gets this
/// error instead of the response. With Digest authentication, the server can prove that it knows the password. If that
/// proof covers the body (`auth-int`), the call can also fail at the end of the body.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
    /// The delegate of the client or of the call cancelled the challenge.
    case cancelled
    /// The token provider threw an error while it refreshed the token; `type` is the error's type, without its content.
    case refreshFailed(type: String)
    /// The server's `Authentication-Info` is wrong, so the server does not know the password (RFC 7616 §3.5).
    case serverNotAuthentic
    /// The scheme cannot send this credential: for example, Basic cannot send a user name with a colon (RFC 7617 §2).
    case credentialNotUsable(String)
    /// The request signer threw an error; `type` is the error's type, without its content.
    case signingFailed(type: String)
}

extension AuthenticationFailure: CustomStringConvertible, Described {
    /// A short description of what happened.
    package var wording: String {
        switch self {
        case .cancelled: "the delegate cancelled the challenge"
        case .refreshFailed(let type): "the token could not be refreshed because the token provider threw \(type)"
        case .serverNotAuthentic: "the server did not prove that it knows the password"
        case .credentialNotUsable(let reason): "the credential cannot be used: \(Sentence.clause(reason))"
        case .signingFailed(let type): "the request could not be signed because the request signer threw \(type)"
        }
    }
}
