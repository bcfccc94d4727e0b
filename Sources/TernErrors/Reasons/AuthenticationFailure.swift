// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a call failed during authentication; with Digest's `auth-int`, this is possible at the end of the body.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
    /// The delegate of the client or of the call cancelled the challenge.
    case cancelled
    /// The server's `Authentication-Info` is wrong, so the server does not know the password (RFC 7616 §3.5).
    case serverNotAuthentic
    /// The scheme cannot send this credential, such as Basic a user name with a colon (RFC 7617 §2); the text says why.
    case credentialNotUsable(String)
}

extension AuthenticationFailure: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .cancelled: "the delegate cancelled the challenge"
        case .serverNotAuthentic: "the server did not prove that it knows the password"
        case .credentialNotUsable(let reason): "the credential cannot be used: \(Sentence.clause(reason))"
        }
    }
}
