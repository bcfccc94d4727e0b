// SPDX-License-Identifier: Apache-2.0

/// The host of a request, as exceptions are compared with it.
enum ProxiedHost: Hashable, Sendable {
    /// In lower case, without a dot at its end.
    case name(String)
    /// The IPv4 address, if it is an IPv4-mapped one.
    case address(IPAddress)

    init(_ host: String) {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
        if let address = IPAddress(bare) {
            self = .address(address.unmapped)
        } else {
            self = .name((bare.hasSuffix(".") ? bare.dropLast() : bare).lowercased())
        }
    }

    /// Whether it is this machine, to whoever asks.
    ///
    /// RFC 6761 §6.3: "Users may assume that IPv4 and IPv6 address queries for localhost names will always resolve to
    /// the respective IP loopback address", and names that end in `.localhost` are such names.
    var isLoopback: Bool {
        switch self {
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        case .address(let address): address.isLoopback
        }
    }
}
