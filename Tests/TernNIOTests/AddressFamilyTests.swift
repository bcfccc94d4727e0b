// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TestSupport
import Testing

@testable import TernNIO

@Suite("Addresses of one family", .hangLimit)
struct AddressFamilyTests {
    private static let port = 1  // no server listens here

    /// Connects to a name with these addresses; returns how many of them count, and the error.
    private static func connect(
        _ family: NIOConnector.AddressFamily?,
        _ addresses: [String]
    ) async throws -> (count: Int?, error: ConnectionError?) {
        let found = try addresses.map { try SocketAddress(ipAddress: $0, port: 0) }
        let resolver = NameResolver(threadCount: 1) { _ in .success(found) }
        let count = Mutex<Int?>(nil)
        do throws(ConnectionError) {
            _ = try await NIOConnector(resolver: resolver, family: family)
                .connect(to: .host("dogs.example", port: Self.port), deadline: nil) { milestone in
                    if case .resolved(let addressCount) = milestone { count.withLock { $0 = addressCount } }
                }
            return (count.withLock { $0 }, nil)
        } catch {
            return (count.withLock { $0 }, error)
        }
    }

    @Test(arguments: [(nil, 3), (.ipv4, 2), (.ipv6, 1)] as [(NIOConnector.AddressFamily?, Int)])
    func `only the addresses of the family count`(family: NIOConnector.AddressFamily?, count: Int) async throws {
        let result = try await Self.connect(family, ["::1", "127.0.0.1", "127.0.0.2"])
        #expect(result.count == count && result.error != nil)
    }

    @Test(arguments: [(.ipv4, "::1"), (.ipv6, "127.0.0.1")] as [(NIOConnector.AddressFamily, String)])
    func `an address of the other family cannot be reached`(
        family: NIOConnector.AddressFamily,
        address: String
    ) async {
        await #expect(throws: ConnectionError.notConnected(.unreachable)) {
            _ = try await NIOConnector(family: family).connect(to: .host(address, port: Self.port), deadline: nil)
        }
    }

    @Test(arguments: [(.ipv4, "::1"), (.ipv6, "127.0.0.1")] as [(NIOConnector.AddressFamily, String)])
    func `a name without such an address is not found`(family: NIOConnector.AddressFamily, address: String) async throws
    {
        let result = try await Self.connect(family, [address])
        #expect(result.count == nil && result.error == .notConnected(.resolution(isTemporary: false)))
    }
}
