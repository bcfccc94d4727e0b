// SPDX-License-Identifier: Apache-2.0

package import TernErrors
import TernFoundation

/// The reason that a SOCKS handshake ended without a connection: a rule that the proxy broke, or its refusal.
///
/// Each case is one rule or one kind of refusal, and ``section`` names the section that defines it. After any of these
/// cases, the client closes the connection (RFC 1928 §3 and §6, RFC 1929 §2).
package enum SOCKSViolation: Error, Hashable, Sendable {
    // MARK: Rules that the proxy broke

    /// An answer has another version of SOCKS, or is not SOCKS at all.
    case version(UInt8)
    /// The proxy chose a method that the client did not offer.
    case methodNotOffered(UInt8)
    /// The answer to user and password has a version other than 1.
    case authenticationVersion(UInt8)
    /// The reserved byte of the reply is not zero.
    case reserved(UInt8)
    /// The address in the reply has an unknown type.
    case addressType(UInt8)

    // MARK: Refusals

    /// The proxy requires authentication, and the client has no user and password.
    case credentialsMissing
    /// The proxy accepts neither of the two offered methods: no authentication, or user and password.
    case noAcceptableMethod
    /// The proxy rejected the user and the password with this status.
    case credentialsRejected(status: UInt8)
    /// The proxy could not, or would not, connect to the host.
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

    /// A sentence that says what was wrong; its wording may change.
    package var reason: String {
        switch self {
        case .version(let version) where version == UInt8(ascii: "H"):
            "The proxy does not answer in SOCKS 5; it may be an HTTP proxy."
        case .version(let version): "The proxy does not answer in SOCKS 5; the first byte of its answer is \(version)."
        case .methodNotOffered(let method): "The proxy chose the method \(method), which the client did not offer."
        case .authenticationVersion(let version):
            "The proxy's answer to the user name and password has the unsupported version \(version)."
        case .reserved(let byte): "The reserved byte of the proxy's reply is \(byte) instead of 0."
        case .addressType(let type): "The proxy's reply has an address of the unknown type \(type)."
        case .credentialsMissing:
            "The proxy requires authentication, but the client has no user name and password for it."
        case .noAcceptableMethod:
            "The proxy accepts neither a user name and password nor a connection without authentication."
        case .credentialsRejected(let status):
            "The proxy rejected the user name and password with the status \(status)."
        case .refused(let reply): "The proxy replied with the code \(reply.code): \(reply)."
        }
    }

    /// The failure that a call reports after this handshake.
    package var failure: ProxyFailure {
        switch self {
        case .version, .methodNotOffered, .authenticationVersion, .reserved, .addressType:
            .violation(section: self.section, reason: self.reason)
        case .credentialsMissing, .credentialsRejected: .authenticationRequired
        case .noAcceptableMethod:
            .unsupported("it accepts neither a user name and password nor a connection without authentication")
        case .refused(let reply): .socks(reply)
        }
    }
}

extension SOCKSViolation: CustomStringConvertible {
    /// The reason, followed by the section.
    package var description: String { "\(self.reason) (\(self.section))" }
}

extension SOCKSViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? {
        switch self {
        case .refused(let reply): "The proxy did not connect to the server; its reply has the code \(reply.code)."
        default: self.reason
        }
    }
}

/// The reason that a request cannot be expressed in SOCKS.
package enum SOCKSError: Error, Hashable, Sendable {
    /// The length of the host is not from 1 to 255 bytes; SOCKS sends the length as one byte (RFC 1928 §5).
    case hostLength(Int)
    /// The host is not an address, and contains characters other than letters, digits, `-`, `_` and `.`.
    case malformedHost
    /// The port is not a number from 1 to 65535.
    case port(Int)
    /// The length of the user is not from 1 to 255 bytes (RFC 1929 §2).
    case userLength(Int)
    /// The length of the password is not from 1 to 255 bytes (RFC 1929 §2); a missing password has a length of 0.
    case passwordLength(Int)

    /// The failure that a call reports for this error.
    package var failure: ProxyFailure { .unsupported(self.description) }
}

extension SOCKSError: CustomStringConvertible {
    /// A short description of the problem; its wording may change.
    package var description: String {
        switch self {
        case .hostLength(let count): "SOCKS needs a host of 1 to 255 bytes, not \(count)"
        case .malformedHost: "SOCKS needs an address or a host name in its ASCII form"
        case .port(let port): "SOCKS needs a port from 1 to 65535, not \(port)"
        case .userLength(let count): "SOCKS needs a user name of 1 to 255 bytes, not \(count)"
        case .passwordLength(let count): "SOCKS needs a password of 1 to 255 bytes, not \(count)"
        }
    }
}

extension SOCKSError: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? { "\(self.description)." }
}
