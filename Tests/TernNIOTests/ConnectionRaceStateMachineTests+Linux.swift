// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Testing

@testable import TernNIO

extension ConnectionRaceStateMachineTests {
    @Test func `the families of the addresses alternate, and the system's first address stays first`() throws {
        let texts = ["::1", "::2", "::3", "1.1.1.1", "1.1.1.2"]
        let addresses = try texts.map { try SocketAddress(ipAddress: $0, port: 80) }
        let sorted = ConnectionRace.interleaved(addresses).map { $0.ipAddress ?? "" }
        #expect(sorted == ["::1", "1.1.1.1", "::2", "1.1.1.2", "::3"])
        #expect(ConnectionRace.interleaved(addresses.reversed()).first?.ipAddress == "1.1.1.2")
        #expect(ConnectionRace.interleaved([]).isEmpty)
    }
}
#endif
