// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import Tern
import TernCLibrary
import TernConnections
@testable import TernNIO
import TernTesting
import TestSupport
import Testing

#if canImport(CNIOLinux)
import CNIOLinux  // owns the structures of addresses for the compiler, if NIO was loaded before Glibc
#endif

/// RFC 4007 §11: a link-local address is usable only with its zone, which is a network interface.
@Suite("Names: addresses with a zone", .hangLimit)
struct ZoneTests {
    private let connector: NIOConnector
    private let gate = LookUpGate()

    init() {
        let gate = self.gate
        self.connector = NIOConnector(
            clock: SystemClock(),
            resolver: NameResolver(threadCount: 1) { gate.lookUp($0) }
        )
    }

    @Test(.enabled(if: LinkLocalListener.hasAddress, "no interface has a link-local address"))
    func `a server on a link-local address can be connected to`() async throws {
        let listener = try LinkLocalListener()
        for host in [listener.host, listener.hostByNumber] {
            let connection = try await self.connector.connect(to: .host(host, port: listener.port), deadline: nil)
            #expect(connection.addresses.remote?.contains("\(listener.port)") == true)
            #expect(connection.isReadyForExchange)
            connection.close()
        }
        #expect(self.gate.names == [])
    }

    @Test func `an interface that does not exist cannot be reached, and is no name to look up`() async {
        await #expect(throws: ConnectionError.notConnected(.unreachable)) {
            try await self.connector.connect(to: .host("fe80::1%nowhere", port: 80), deadline: nil)
        }
        #expect(self.gate.names == [])
    }

    @Test func `the number of an interface is as good as its name`() throws {
        guard case .v6(let address) = try SocketAddress(ipAddress: "fe80::1%7", port: 80) else {
            Issue.record("it is no IPv6 address")
            return
        }
        #expect(address.address.sin6_scope_id == 7)
    }
}

/// Listens on a link-local address of this machine, and leaves connections in its queue.
final class LinkLocalListener: Sendable {
    private static let found = LinkLocalListener.find()
    static var hasAddress: Bool { self.found != nil }

    let port: Int
    /// The address, with the name of the interface as its zone.
    let host: String
    /// The address, with the number of the interface as its zone.
    let hostByNumber: String
    private let descriptor: CInt

    init() throws {
        guard let (address, interface) = Self.found, var bound = Self.parse(address) else {
            throw PeerProcess.Failure(description: "no interface has a link-local address")
        }
        let number = if_nametoindex(interface)
        bound.sin6_scope_id = number
        self.host = "\(address)%\(interface)"
        self.hostByNumber = "\(address)%\(number)"
        let descriptor = socket(AF_INET6, CLibrary.streamSocket, 0)
        self.descriptor = descriptor
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, length) == 0, listen(descriptor, 8) == 0 else {
                    return CInt(-1)
                }
                return getsockname(descriptor, address, &length)
            }
        }
        self.port = Int(UInt16(bigEndian: bound.sin6_port))
        guard result == 0 else { throw PeerProcess.Failure(description: "system error \(errno)") }
    }

    deinit { close(self.descriptor) }

    private static func parse(_ text: String) -> sockaddr_in6? {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        return inet_pton(AF_INET6, text, &address.sin6_addr) == 1 ? address : nil
    }

    /// Returns a link-local address without its zone, and the interface that has the address.
    private static func find() -> (address: String, interface: String)? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let pointer = entry.ifa_addr, CInt(pointer.pointee.sa_family) == AF_INET6 else { continue }
            var address = UnsafeRawPointer(pointer).load(as: sockaddr_in6.self)
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(AF_INET6, &address.sin6_addr, &text, socklen_t(text.count)) != nil else { continue }
            let written = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if written.hasPrefix("fe80:") { return (written, String(cString: entry.ifa_name)) }
        }
        return nil
    }
}
