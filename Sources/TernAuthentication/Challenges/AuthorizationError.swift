// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernValues

/// The reason that a credential cannot be sent, or that the server's answer is not trustworthy.
///
/// ``wrongServerProof`` and ``malformedAuthenticationInfo(_:)`` are faults in the response to a request with a credential. With
/// any other error, there is no value to send. An error is safe to log.
@nonexhaustive
public enum AuthorizationError: Error, Hashable, Sendable {
    // MARK: The credential

    /// The credential is not of the kind that is needed, such as a token for Basic.
    case wrongKindOfCredential
    /// The user name contains an ASCII control character or, with Basic, a colon, which would end the name.
    case invalidUser
    /// The password contains an ASCII control character, which Basic cannot send.
    case invalidPassword
    /// The token does not have the form of RFC 6750 §2.1: for example, it is empty or contains a blank.
    case invalidToken

    // MARK: The challenge

    /// The scheme is not Basic, Digest or Bearer.
    case unsupportedScheme
    /// Digest asks for an algorithm other than MD5, SHA-256 and SHA-512-256, with or without `-sess`.
    case unsupportedAlgorithm
    /// A Digest challenge offers only unknown values of `qop`, or none with a `-sess` algorithm.
    case unsupportedQop
    /// A Digest challenge lacks its realm or its nonce; the text is the name of the parameter.
    case missingParameter(String)
    /// A parameter of a Digest challenge has a value that cannot be sent back; the text is the name of the parameter.
    case invalidParameter(String)

    // MARK: The request

    /// The target is empty, or contains a blank, a control character or a character outside ASCII.
    case invalidTarget
    /// The client's nonce is empty or contains an ASCII control character.
    case invalidCnonce
    /// Digest protects the body with `auth-int`, but the caller gave no hash of the body.
    case missingBodyHash
    /// The server's nonce has been used 2³² − 1 times.
    case nonceExhausted

    // MARK: After the answer

    /// `Authentication-Info` or `Proxy-Authentication-Info` cannot be parsed.
    case malformedAuthenticationInfo(ChallengeViolation)
    /// The server did not prove that it knows the password; another server may have answered in its place.
    case wrongServerProof
}

extension AuthorizationError {
    package var section: String {
        switch self {
        case .wrongKindOfCredential, .unsupportedScheme: "RFC 9110 §11.4"
        case .invalidUser, .invalidPassword: "RFC 7617 §2"
        case .invalidToken: "RFC 6750 §2.1"
        case .unsupportedAlgorithm, .unsupportedQop, .missingParameter, .invalidParameter: "RFC 7616 §3.3"
        case .invalidTarget, .invalidCnonce, .nonceExhausted: "RFC 7616 §3.4"
        case .missingBodyHash: "RFC 7616 §3.4.3"
        case .malformedAuthenticationInfo: "RFC 7615 §3"
        case .wrongServerProof: "RFC 7616 §3.5"
        }
    }

    package var reason: String {
        switch self {
        case .wrongKindOfCredential: "The credential does not fit the authentication scheme."
        case .invalidUser: "The user name contains a character that cannot be sent."
        case .invalidPassword: "The password contains a control character."
        case .invalidToken: "The token contains a character that cannot be sent, or is empty."
        case .unsupportedScheme: "The client does not support the authentication scheme."
        case .unsupportedAlgorithm: "The client does not support the algorithm of the challenge."
        case .unsupportedQop: "The challenge names no quality of protection that the client supports."
        case .missingParameter(let name): "The challenge has no \(name) parameter."
        case .invalidParameter(let name): "The \(name) parameter of the challenge is not valid."
        case .invalidTarget: "The target of the request contains a character that cannot be sent, or is empty."
        case .invalidCnonce: "The client's nonce contains a control character, or is empty."
        case .missingBodyHash: "The server requires a hash of the body, but the caller gave none."
        case .nonceExhausted: "The client has used the server's nonce too often."
        case .malformedAuthenticationInfo: "The server's Authentication-Info field is malformed."
        case .wrongServerProof: "The server did not prove that it knows the password."
        }
    }
}

extension AuthorizationError: CustomStringConvertible, Described {
    package var wording: String { "\(self.reason) (\(self.section))" }
}

extension AuthorizationError: LocalizedError, Explained {
    package var sentence: String { self.reason }
}
