// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a call failed during authentication; with Digest's `auth-int`, perhaps as late as at the end of the body.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
    /// The delegate of the client or of the call cancelled the challenge.
    case cancelled
    /// `Authentication-Info` does not prove that the server, or the proxy, knows the password (RFC 7616 §3.5).
    case serverNotAuthentic
    /// The client cannot use this credential; the text says why: Basic, for example, allows no colon in a user name (RFC 7617 §2).
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
