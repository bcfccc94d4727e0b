// SPDX-License-Identifier: Apache-2.0

public import TernErrors

/// Why a SOCKS proxy cannot be asked for what the caller wants.
public enum SOCKSMisuse: Error, Hashable, Sendable {
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
    public var failure: ProxyFailure { .unsupported(self.description) }
}

extension SOCKSMisuse: CustomStringConvertible {
    /// What is wrong, in a few words; its wording may change.
    public var description: String {
        switch self {
        case .hostLength(let count): "SOCKS takes a host of 1 to 255 bytes, not of \(count)"
        case .malformedHost: "SOCKS takes an address, or a name in its ASCII form"
        case .port(let port): "SOCKS takes a port from 1 to 65535, not \(port)"
        case .userLength(let count): "SOCKS takes a user of 1 to 255 bytes, not of \(count)"
        case .passwordLength(let count): "SOCKS takes a password of 1 to 255 bytes, not of \(count)"
        }
    }
}
