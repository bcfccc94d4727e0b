// SPDX-License-Identifier: Apache-2.0
public import TernValues

/// The reason that a SOCKS proxy did not connect to the server: the field `REP` of its reply (RFC 1928 §6).
@nonexhaustive
public enum SOCKSReply: Hashable, Sendable {
    /// 1: the proxy failed and does not give a reason.
    case generalFailure
    /// 2: the rules of the proxy do not allow the connection.
    case notAllowed
    /// 3: the proxy has no route to the server's network.
    case networkUnreachable
    /// 4: the proxy cannot reach the server; some also send this code when they cannot look up the server's name.
    case hostUnreachable
    /// 5: the server refused the connection: in most cases, no program listens on its port.
    case connectionRefused
    /// 6: the route from the proxy to the server has too many hops, or the connection took too long.
    case ttlExpired
    /// 7: the proxy does not support the SOCKS command CONNECT.
    case commandNotSupported
    /// 8: the proxy does not support this kind of address: a name, IPv4 or IPv6.
    case addressTypeNotSupported
    /// A code that the RFC does not assign, from 9 to 255.
    case unassigned(UInt8)

    package init?(code: UInt8) {
        switch code {
        case 0: return nil
        case 1: self = .generalFailure
        case 2: self = .notAllowed
        case 3: self = .networkUnreachable
        case 4: self = .hostUnreachable
        case 5: self = .connectionRefused
        case 6: self = .ttlExpired
        case 7: self = .commandNotSupported
        case 8: self = .addressTypeNotSupported
        default: self = .unassigned(code)
        }
    }

    package var code: UInt8 {
        switch self {
        case .generalFailure: 1
        case .notAllowed: 2
        case .networkUnreachable: 3
        case .hostUnreachable: 4
        case .connectionRefused: 5
        case .ttlExpired: 6
        case .commandNotSupported: 7
        case .addressTypeNotSupported: 8
        case .unassigned(let code): code
        }
    }
}

extension SOCKSReply: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .generalFailure: "the proxy reports a general failure; its log may say more"
        case .notAllowed: "the rules of the proxy do not allow the connection"
        case .networkUnreachable: "the proxy cannot reach the network of the server"
        case .hostUnreachable: "the proxy cannot reach the host, or found no address for it"
        case .connectionRefused:
            "the host refused the connection of the proxy; check that the server listens on this port"
        case .ttlExpired: "the route from the proxy to the host is too long, or the proxy's connection took too long"
        case .commandNotSupported: "the proxy does not support the SOCKS command CONNECT"
        case .addressTypeNotSupported: "the proxy does not support this kind of address"
        case .unassigned(let code): "the proxy replied with the unassigned code \(code)"
        }
    }
}
