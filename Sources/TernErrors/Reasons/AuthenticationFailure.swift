// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a call failed during authentication.
///
/// The call can fail before the client sends the request, or after a response has arrived; the caller then gets this
/// error instead of the response. If the closure of a `BearerAuthentication` or a `RequestSigner` throws, the call
/// throws `ClientError.interceptorFailed` instead, with that error.
///
/// With Digest authentication, the server can prove that it knows the password. If that
/// proof covers the body (`auth-int`), the call can also fail at the end of the body.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
    /// The delegate of the client or of the call cancelled the challenge.
    case cancelled
    /// The server's `Authentication-Info` is wrong, so the server does not know the password (RFC 7616 §3.5).
    case serverNotAuthentic
    /// The scheme cannot send this credential: for example, Basic cannot send a user name with a colon (RFC 7617 §2).
    case credentialNotUsable(String)
}

extension AuthenticationFailure: CustomStringConvertible, Described {
    /// A short description of what happened.
    package var wording: String {
        switch self {
        case .cancelled: "the delegate cancelled the challenge"
        case .serverNotAuthentic: "the server did not prove that it knows the password"
        case .credentialNotUsable(let reason): "the credential cannot be used: \(Sentence.clause(reason))"
        }
    }
}
