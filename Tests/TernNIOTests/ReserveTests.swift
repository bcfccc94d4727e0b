// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernConnections
import TernErrors
import TestSupport
import Testing

@testable import TernNIO

/// Tests that connections leave descriptors to the rest of the process, which may end without them.
@Suite("Descriptors in reserve", .hangLimit)
struct ReserveTests {
    private static let shortage = ConnectionError.notConnected(.tooManyOpenFiles)

    private static func failure(_ connector: NIOConnector, _ host: String, _ port: Int) async -> ConnectionError? {
        do throws(ConnectionError) {
            _ = try await connector.connect(to: .host(host, port: port), deadline: nil)
            return nil
        } catch {
            return error
        }
    }

    private static func takeAll() -> Int {
        var count = 0
        while open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 { count += 1 }
        return count
    }

    @Test func `no socket takes a descriptor of the reserve, with each way to serve connections`() async {
        await #expect(processExitsWith: .success) {
            let listener = try RawListener()
            let connectors = SocketTests.ways.map { NIOConnector(threading: $0) }
            var open: [any Connection] = []
            for connector in connectors {
                open.append(try await connector.connect(to: .host("127.0.0.1", port: listener.port), deadline: nil))
            }
            let table = try FullDescriptorTable(freeCount: 20)
            for connector in connectors {
                for host in ["127.0.0.1", "localhost"] {
                    #expect(await Self.failure(connector, host, listener.port) == Self.shortage, "\(host)")
                }
            }
            #expect(Self.takeAll() >= 20)
            withExtendedLifetime((table, open)) {}
        }
    }

    /// glibc opens files and sockets, and reports a name that it could not look up as one that does not exist.
    @Test func `a look-up takes no descriptor of the reserve`() async {
        await #expect(processExitsWith: .success) {
            let table = try FullDescriptorTable(freeCount: 20)
            #expect(throws: Self.shortage) { try SystemLookUp.addresses(of: "localhost").get() }
            withExtendedLifetime(table) {}
        }
    }

    @Test func `event loops that have not started do not end the process`() async {
        await #expect(processExitsWith: .success) {
            let table = try FullDescriptorTable(freeCount: 20)
            for way in SocketTests.ways {
                #expect(await Self.failure(NIOConnector(threading: way), "127.0.0.1", 1) == Self.shortage, "\(way)")
            }
            #expect(Self.takeAll() >= 20)
            withExtendedLifetime(table) {}
        }
    }
}
