// SPDX-License-Identifier: Apache-2.0
import CNIOLinux  // owns the structures of addresses for the compiler
import Darwin
import Glibc
import NIOCore

// On an Apple platform, the addresses of swift-nio are Darwin's structures. The module of the debug build has Linux's.
extension SocketAddress {
    init(_ address: Darwin.sockaddr_in, host: String) {
        var linux = Glibc.sockaddr_in()
        linux.sin_family = Glibc.sa_family_t(address.sin_family)
        linux.sin_port = address.sin_port
        linux.sin_addr.s_addr = address.sin_addr.s_addr
        self.init(linux, host: host)
    }

    init(_ address: Darwin.sockaddr_in6, host: String) {
        var linux = Glibc.sockaddr_in6()
        linux.sin6_family = Glibc.sa_family_t(address.sin6_family)
        linux.sin6_port = address.sin6_port
        linux.sin6_addr = unsafeBitCast(address.sin6_addr, to: Glibc.in6_addr.self)
        linux.sin6_scope_id = address.sin6_scope_id
        self.init(linux, host: host)
    }
}
