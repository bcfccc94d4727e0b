// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

internal import Glibc

// sys/socket.h, and the manual pages inet(4) and inet6(4). Unlike Linux's structures, these begin with their length.
public struct sockaddr: Sendable {
    var sa_len: UInt8 = 0
    public var sa_family: sa_family_t = 0
    var sa_data = InlineArray<14, CChar>(repeating: 0)

    public init() {}
}

public struct in_addr: Sendable {
    public var s_addr: in_addr_t = 0

    public init() {}
}

public struct sockaddr_in: Sendable {
    var sin_len: UInt8 = 0
    public var sin_family: sa_family_t = 0
    public var sin_port: in_port_t = 0
    public var sin_addr = in_addr()
    var sin_zero = InlineArray<8, CChar>(repeating: 0)

    public init() {}
}

public struct in6_addr: Sendable {
    var __u6_addr = InlineArray<4, UInt32>(repeating: 0)

    public init() {}
}

public struct sockaddr_in6: Sendable {
    var sin6_len: UInt8 = 0
    public var sin6_family: sa_family_t = 0
    public var sin6_port: in_port_t = 0
    var sin6_flowinfo: UInt32 = 0
    public var sin6_addr = in6_addr()
    public var sin6_scope_id: UInt32 = 0

    public init() {}
}

public struct sockaddr_storage: Sendable {
    var ss_len: UInt8 = 0
    var ss_family: sa_family_t = 0
    var __ss_align = InlineArray<15, Int64>(repeating: 0)

    public init() {}
}

/// The number of bytes of the longest address.
private let maximumByteCount = 128

/// Calls a closure with an address in Linux's layout: two bytes of family, instead of a length and one byte of family.
func withLinuxAddress(
    _ address: UnsafePointer<sockaddr>,
    _ length: socklen_t,
    _ body: (UnsafePointer<Glibc.sockaddr>) -> Int32
) -> Int32 {
    withUnsafeTemporaryAllocation(byteCount: maximumByteCount, alignment: 8) { space in
        space.initializeMemory(as: UInt8.self, repeating: 0)
        space.copyMemory(
            from: UnsafeRawBufferPointer(start: address, count: min(Int(length), maximumByteCount))
        )
        space.storeBytes(of: UInt16(address.pointee.sa_family), as: UInt16.self)
        return space.withMemoryRebound(to: Glibc.sockaddr.self) { $0.baseAddress.map { body($0) } ?? -1 }
    }
}

/// Calls a closure that stores an address in Linux's layout, and converts the address.
func takeLinuxAddress(
    _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: UnsafeMutablePointer<socklen_t>?,
    _ body: (UnsafeMutablePointer<Glibc.sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
) -> Int32 {
    guard let address, let length else { return body(nil, nil) }
    let result = UnsafeMutableRawPointer(address).withMemoryRebound(to: Glibc.sockaddr.self, capacity: 1) {
        body($0, length)
    }
    if result >= 0, length.pointee > 1 { convertFromLinux(address, length.pointee) }
    return result
}

/// Converts an address from Linux's layout, in its place.
private func convertFromLinux(_ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t) {
    let family = UnsafeRawPointer(address).loadUnaligned(as: UInt16.self)
    address.pointee.sa_len = UInt8(truncatingIfNeeded: length)
    address.pointee.sa_family = sa_family_t(truncatingIfNeeded: family)
}

/// Returns a copy of an address in Linux's layout, as `free` releases it.
private func copyFromLinux(
    _ address: UnsafeMutablePointer<Glibc.sockaddr>?,
    _ length: socklen_t
) -> UnsafeMutablePointer<sockaddr>? {
    guard let address, let copy = Glibc.calloc(1, maximumByteCount) else { return nil }
    copy.copyMemory(from: address, byteCount: min(Int(length), maximumByteCount))
    let result = copy.assumingMemoryBound(to: sockaddr.self)
    convertFromLinux(result, length)
    return result
}

// The manual page inet_ntop(3).
public var INET6_ADDRSTRLEN: Int32 { Glibc.INET6_ADDRSTRLEN }

@discardableResult public func inet_ntop(
    _ family: Int32,
    _ address: UnsafeRawPointer!,
    _ text: UnsafeMutablePointer<CChar>!,
    _ count: socklen_t
) -> UnsafePointer<CChar>! {
    Glibc.inet_ntop(family, address, text, count)
}
@discardableResult public func inet_pton(
    _ family: Int32,
    _ text: UnsafePointer<CChar>!,
    _ address: UnsafeMutableRawPointer!
) -> Int32 {
    Glibc.inet_pton(family, text, address)
}

// The manual page getaddrinfo(3), and netdb.h.
public var IPPROTO_TCP: Int32 { Int32(Glibc.IPPROTO_TCP) }
public var EAI_AGAIN: Int32 { Glibc.EAI_AGAIN }
public var EAI_MEMORY: Int32 { Glibc.EAI_MEMORY }
public var EAI_NONAME: Int32 { Glibc.EAI_NONAME }
public var EAI_SYSTEM: Int32 { Glibc.EAI_SYSTEM }

public struct addrinfo {
    var ai_flags: Int32 = 0
    public var ai_family: Int32 = 0
    public var ai_socktype: Int32 = 0
    public var ai_protocol: Int32 = 0
    var ai_addrlen: socklen_t = 0
    var ai_canonname: UnsafeMutablePointer<CChar>!
    public var ai_addr: UnsafeMutablePointer<sockaddr>!
    public var ai_next: UnsafeMutablePointer<addrinfo>!

    public init() {}
}

@discardableResult public func getaddrinfo(
    _ host: UnsafePointer<CChar>!,
    _ service: UnsafePointer<CChar>!,
    _ hints: UnsafePointer<addrinfo>!,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>!
) -> Int32 {
    var wish = Glibc.addrinfo()
    wish.ai_socktype = hints.pointee.ai_socktype
    wish.ai_protocol = hints.pointee.ai_protocol
    var list: UnsafeMutablePointer<Glibc.addrinfo>?
    let code = Glibc.getaddrinfo(host, service, &wish, &list)
    guard code == 0 else { return code }
    defer { Glibc.freeaddrinfo(list) }
    var entries: [Glibc.addrinfo] = []
    var next = list
    while let entry = next?.pointee {
        entries.append(entry)
        next = entry.ai_next
    }
    var first: UnsafeMutablePointer<addrinfo>?
    for entry in entries.reversed() {
        let copy = UnsafeMutablePointer<addrinfo>.allocate(capacity: 1)
        copy.initialize(to: addrinfo())
        copy.pointee.ai_family = entry.ai_family
        copy.pointee.ai_socktype = entry.ai_socktype
        copy.pointee.ai_protocol = entry.ai_protocol
        copy.pointee.ai_addrlen = entry.ai_addrlen
        copy.pointee.ai_addr = copyFromLinux(entry.ai_addr, entry.ai_addrlen)
        copy.pointee.ai_next = first
        first = copy
    }
    result.pointee = first
    return 0
}
public func freeaddrinfo(_ list: UnsafeMutablePointer<addrinfo>!) {
    var next = list
    while let entry = next {
        next = entry.pointee.ai_next
        Glibc.free(entry.pointee.ai_addr)
        entry.deallocate()
    }
}

// The manual pages getifaddrs(3) and if_nametoindex(3).
public struct ifaddrs {
    public var ifa_next: UnsafeMutablePointer<ifaddrs>!
    public var ifa_name: UnsafeMutablePointer<CChar>!
    public var ifa_addr: UnsafeMutablePointer<sockaddr>!
}

@discardableResult public func getifaddrs(_ result: UnsafeMutablePointer<UnsafeMutablePointer<ifaddrs>?>!) -> Int32 {
    var list: UnsafeMutablePointer<Glibc.ifaddrs>?
    guard Glibc.getifaddrs(&list) == 0 else { return -1 }
    defer { Glibc.freeifaddrs(list) }
    var first: UnsafeMutablePointer<ifaddrs>?
    var next = list
    while let entry = next?.pointee {
        let family = entry.ifa_addr.map { Int32($0.pointee.sa_family) }
        let byteCount: socklen_t = family == Glibc.AF_INET6 ? 28 : 16
        let copy = UnsafeMutablePointer<ifaddrs>.allocate(capacity: 1)
        copy.initialize(
            to: ifaddrs(
                ifa_next: first,
                ifa_name: Glibc.strdup(entry.ifa_name),
                ifa_addr: copyFromLinux(entry.ifa_addr, byteCount)
            )
        )
        first = copy
        next = entry.ifa_next
    }
    result.pointee = first
    return 0
}
public func freeifaddrs(_ list: UnsafeMutablePointer<ifaddrs>!) {
    var next = list
    while let entry = next {
        next = entry.pointee.ifa_next
        Glibc.free(entry.pointee.ifa_name)
        Glibc.free(entry.pointee.ifa_addr)
        entry.deallocate()
    }
}
@discardableResult public func if_nametoindex(_ name: UnsafePointer<CChar>!) -> UInt32 { Glibc.if_nametoindex(name) }
