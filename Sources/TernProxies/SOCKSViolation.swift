// SPDX-License-Identifier: Apache-2.0

package import TernErrors
import TernFoundation

/// The reason that a SOCKS handshake ended without a connection: a rule that the proxy broke, or its refusal.
package enum SOCKSViolation: Error, Hashable, Sendable {
    // MARK: Rules that the proxy broke

    case version(UInt8)
    case methodNotOffered(UInt8)
    /// The answer to user and password has a version other than 1.
    case authenticationVersion(UInt8)
    case reserved(UInt8)
    case addressType(UInt8)

    // MARK: Refusals

    case credentialsMissing
    case noAcceptableMethod
    case credentialsRejected(status: UInt8)
    case refused(SOCKSReply)
}

extension SOCKSViolation {
    package var section: String {
        switch self {
        case .version, .methodNotOffered, .credentialsMissing, .noAcceptableMethod: "RFC 1928 §3"
        case .authenticationVersion, .credentialsRejected: "RFC 1929 §2"
        case .reserved, .addressType, .refused: "RFC 1928 §6"
        }
    }

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
    package var description: String { "\(self.reason) (\(self.section))" }
}

extension SOCKSViolation: LocalizedError {
    package var errorDescription: String? {
        switch self {
        case .refused(let reply): "The proxy did not connect to the server; its reply has the code \(reply.code)."
        default: self.reason
        }
    }
}

package enum SOCKSError: Error, Hashable, Sendable {
    case hostLength(Int)
    case malformedHost
    case port(Int)
    case userLength(Int)
    case passwordLength(Int)

    package var failure: ProxyFailure { .unsupported(self.description) }
}

extension SOCKSError: CustomStringConvertible {
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
    package var errorDescription: String? { "\(self.description)." }
}
