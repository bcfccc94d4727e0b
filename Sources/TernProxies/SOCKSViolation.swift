// SPDX-License-Identifier: Apache-2.0

package import TernErrors

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// Why a SOCKS handshake ended without a connection: a rule that the proxy broke, or its refusal.
///
/// Closed on purpose: every case is one rule, with the ``section`` that states it. The answer to each is to close the
/// connection (RFC 1928 §3 and §6, RFC 1929 §2).
package enum SOCKSViolation: Error, Hashable, Sendable {
    // MARK: Rules that the proxy broke

    /// An answer is of another version of SOCKS, or not of SOCKS at all.
    case version(UInt8)
    /// The proxy chose a method that was not offered.
    case methodNotOffered(UInt8)
    /// The answer to user and password is of another version than 1.
    case authenticationVersion(UInt8)
    /// The reserved byte of the reply is not zero.
    case reserved(UInt8)
    /// The address in the reply is of a type that does not exist.
    case addressType(UInt8)

    // MARK: Refusals

    /// The proxy accepts no method, and a user and a password were not offered to it.
    case credentialsMissing
    /// The proxy accepts neither an anonymous client nor a user and a password.
    case noAcceptableMethod
    /// The proxy rejected the user and the password; the status is what it answered.
    case credentialsRejected(status: UInt8)
    /// The proxy could not, or would not, connect.
    case refused(SOCKSReply)
}

extension SOCKSViolation {
    /// The document and section that state the rule, such as `"RFC 1928 §6"`.
    package var section: String {
        switch self {
        case .version, .methodNotOffered, .credentialsMissing, .noAcceptableMethod: "RFC 1928 §3"
        case .authenticationVersion, .credentialsRejected: "RFC 1929 §2"
        case .reserved, .addressType, .refused: "RFC 1928 §6"
        }
    }

    /// What was wrong, in one sentence; its wording may change.
    package var reason: String {
        switch self {
        case .version(let version) where version == UInt8(ascii: "H"):
            "The proxy does not answer in SOCKS 5; it may be one for HTTP."
        case .version(let version): "The proxy does not answer in SOCKS 5, its first byte is \(version)."
        case .methodNotOffered(let method): "The proxy chose the method \(method), which was not offered."
        case .authenticationVersion(let version): "The answer to user and password is of version \(version)."
        case .reserved(let byte): "The reserved byte of the reply is \(byte)."
        case .addressType(let type): "The reply has an address of the unknown type \(type)."
        case .credentialsMissing: "The proxy wants a user and a password."
        case .noAcceptableMethod: "The proxy accepts no user and password."
        case .credentialsRejected(let status): "The proxy rejected user and password with the status \(status)."
        case .refused(let reply): "The proxy replied with \(reply.code): \(reply)."
        }
    }

    /// What a call reports that wanted to use the proxy.
    package var failure: ProxyFailure {
        switch self {
        case .version, .methodNotOffered, .authenticationVersion, .reserved, .addressType:
            .violation(section: self.section, reason: self.reason)
        case .credentialsMissing, .credentialsRejected: .authenticationRequired
        case .noAcceptableMethod: .unsupported("it accepts no user and password")
        case .refused(let reply): .socks(reply)
        }
    }
}

extension SOCKSViolation: CustomStringConvertible {
    /// The reason, then the section.
    package var description: String { "\(self.reason) (\(self.section))" }
}

extension SOCKSViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? {
        switch self {
        case .refused(let reply): "The proxy refused the connection with the code \(reply.code)."
        default: self.reason
        }
    }
}

/// Why a SOCKS proxy cannot be asked for what the caller wants.
package enum SOCKSError: Error, Hashable, Sendable {
    /// The host does not have 1 to 255 bytes, as its length is one byte (RFC 1928 §5).
    case hostLength(Int)
    /// The host is no address, and holds other characters than letters, digits, `-`, `_` and `.`.
    case malformedHost
    /// The port is not one from 1 to 65535.
    case port(Int)
    /// The user does not have 1 to 255 bytes (RFC 1929 §2).
    case userLength(Int)
    /// The password does not have 1 to 255 bytes (RFC 1929 §2); without one it has none.
    case passwordLength(Int)

    /// What a call reports that wanted this.
    package var failure: ProxyFailure { .unsupported(self.description) }
}

extension SOCKSError: CustomStringConvertible {
    /// What is wrong, in a few words; its wording may change.
    package var description: String {
        switch self {
        case .hostLength(let count): "SOCKS takes a host of 1 to 255 bytes, not of \(count)"
        case .malformedHost: "SOCKS takes an address, or a name in its ASCII form"
        case .port(let port): "SOCKS takes a port from 1 to 65535, not \(port)"
        case .userLength(let count): "SOCKS takes a user of 1 to 255 bytes, not of \(count)"
        case .passwordLength(let count): "SOCKS takes a password of 1 to 255 bytes, not of \(count)"
        }
    }
}

extension SOCKSError: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? { "\(self.description)." }
}
