// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a challenge cannot be answered, or why an answer to it is not to be trusted.
///
/// Every case is one rule, with the `section` that states it. ``wrongServerProof`` and
/// ``malformedAuthenticationInfo(_:)`` are faults of a server after it accepted an answer; the others come before
/// anything is sent. No case holds a name, a password or a token, so a failure is safe to log.
@nonexhaustive
public enum AuthorizationError: Error, Hashable, Sendable {
    // MARK: The credential

    /// The credential is not of the kind that the scheme needs, such as a token for Basic.
    case wrongKindOfCredential
    /// The name holds a control character, or a colon that Basic could not tell from its own.
    case invalidUser
    /// The password holds a control character, which Basic cannot send.
    case invalidPassword
    /// The token is empty or holds a character that a bearer token may not have.
    case invalidToken

    // MARK: The challenge

    /// The scheme is not Basic, Digest or Bearer.
    case unsupportedScheme
    /// Digest asks for an algorithm other than MD5, SHA-256 and SHA-512-256, with or without `-sess`.
    case unsupportedAlgorithm
    /// Digest offers a quality of protection other than `auth` and `auth-int`, or `-sess` without any.
    case unsupportedQop
    /// The challenge lacks a parameter that its scheme needs.
    case missingParameter(String)
    /// A parameter has a value that cannot be sent back.
    case invalidParameter(String)

    // MARK: The request

    /// The target is empty, or holds a blank, a control character or a character beyond ASCII.
    case invalidTarget
    /// The client's nonce is empty or holds a control character.
    case invalidCnonce
    /// Digest protects the body with `auth-int`, and its hash was not given.
    case missingBodyHash
    /// The server's nonce was used 2³² − 1 times.
    case nonceExhausted

    // MARK: What a server says after

    /// `Authentication-Info` is not a list of parameters.
    case malformedAuthenticationInfo(ChallengeViolation)
    /// The server did not prove that it knows the password: something else may have answered in its place.
    case wrongServerProof
}

extension AuthorizationError {
    /// The document and section that state the rule, such as `"RFC 7616 §3.3"`.
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

    /// What was wrong, in one sentence; its wording may change.
    package var reason: String {
        switch self {
        case .wrongKindOfCredential: "The credential is not of the kind that the scheme needs."
        case .invalidUser: "The name holds a character that the scheme cannot send."
        case .invalidPassword: "The password holds a control character."
        case .invalidToken: "The token is not one that Bearer can send."
        case .unsupportedScheme: "The scheme is not supported."
        case .unsupportedAlgorithm: "The algorithm of the challenge is not supported."
        case .unsupportedQop: "The quality of protection of the challenge is not supported."
        case .missingParameter(let name): "The challenge lacks the parameter \(name)."
        case .invalidParameter(let name): "The parameter \(name) of the challenge cannot be sent back."
        case .invalidTarget: "The target of the request cannot be written into the field."
        case .invalidCnonce: "The client's nonce is empty or holds a control character."
        case .missingBodyHash: "The server wants the body protected, and its hash is missing."
        case .nonceExhausted: "The server's nonce was used too often."
        case .malformedAuthenticationInfo: "The Authentication-Info of the answer is malformed."
        case .wrongServerProof: "The server did not prove that it knows the password."
        }
    }
}

extension AuthorizationError: CustomStringConvertible {
    /// The reason, then the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension AuthorizationError: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.reason }
}
