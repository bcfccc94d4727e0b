// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

private import Glibc

// The manual pages socket(2), bind(2), listen(2), accept(2), connect(2), getsockname(2), getpeername(2), send(2), recv(2),
// shutdown(2) and setsockopt(2), and sys/socket.h.
public var AF_INET: Int32 { Glibc.AF_INET }
public var AF_INET6: Int32 { Glibc.AF_INET6 }
public var SOCK_STREAM: Int32 { Int32(Glibc.SOCK_STREAM.rawValue) }
public var SOL_SOCKET: Int32 { Glibc.SOL_SOCKET }
public var SO_LINGER: Int32 { Glibc.SO_LINGER }
public var MSG_DONTWAIT: Int32 { Int32(Glibc.MSG_DONTWAIT) }
public var MSG_NOSIGNAL: Int32 { Int32(Glibc.MSG_NOSIGNAL) }
public var SHUT_WR: Int32 { Int32(Glibc.SHUT_WR) }

public struct linger: Sendable {
    public var l_onoff: Int32
    public var l_linger: Int32

    public init(l_onoff: Int32, l_linger: Int32) { (self.l_onoff, self.l_linger) = (l_onoff, l_linger) }
}

@discardableResult public func socket(_ family: Int32, _ kind: Int32, _ number: Int32) -> Int32 {
    Glibc.socket(family, kind, number)
}
@discardableResult public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32
{
    withLinuxAddress(address, length) { Glibc.bind(socket, $0, length) }
}
@discardableResult public func connect(
    _ socket: Int32,
    _ address: UnsafePointer<sockaddr>!,
    _ length: socklen_t
) -> Int32 {
    withLinuxAddress(address, length) { Glibc.connect(socket, $0, length) }
}
@discardableResult public func listen(_ socket: Int32, _ backlog: Int32) -> Int32 { Glibc.listen(socket, backlog) }
@discardableResult public func accept(
    _ socket: Int32,
    _ address: UnsafeMutablePointer<sockaddr>!,
    _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 {
    takeLinuxAddress(address, length) { Glibc.accept(socket, $0, $1) }
}
@discardableResult public func getsockname(
    _ socket: Int32,
    _ address: UnsafeMutablePointer<sockaddr>!,
    _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 {
    takeLinuxAddress(address, length) { Glibc.getsockname(socket, $0, $1) }
}
@discardableResult public func getpeername(
    _ socket: Int32,
    _ address: UnsafeMutablePointer<sockaddr>!,
    _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 {
    takeLinuxAddress(address, length) { Glibc.getpeername(socket, $0, $1) }
}
@discardableResult public func send(
    _ socket: Int32,
    _ bytes: UnsafeRawPointer!,
    _ count: Int,
    _ flags: Int32
) -> Int {
    Glibc.send(socket, bytes, count, flags)
}
@discardableResult public func recv(
    _ socket: Int32,
    _ space: UnsafeMutableRawPointer!,
    _ count: Int,
    _ flags: Int32
) -> Int {
    Glibc.recv(socket, space, count, flags)
}
@discardableResult public func shutdown(_ socket: Int32, _ how: Int32) -> Int32 { Glibc.shutdown(socket, how) }
@discardableResult public func setsockopt(
    _ socket: Int32,
    _ level: Int32,
    _ name: Int32,
    _ value: UnsafeRawPointer!,
    _ length: socklen_t
) -> Int32 {
    Glibc.setsockopt(socket, level, name, value, length)
}

// The manual page poll(2).
public var POLLERR: Int32 { Int32(Glibc.POLLERR) }

public struct pollfd: Sendable {
    public var fd: Int32
    public var events: Int16
    public var revents: Int16

    public init(fd: Int32, events: Int16, revents: Int16) {
        (self.fd, self.events, self.revents) = (fd, events, revents)
    }
}

@discardableResult public func poll(_ states: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ timeout: Int32) -> Int32
{
    // Linux has the same layout.
    states.withMemoryRebound(to: Glibc.pollfd.self, capacity: Int(count)) {
        Glibc.poll($0, Glibc.nfds_t(count), timeout)
    }
}
