// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import Synchronization
import TernConnections
import TernErrors
import Testing

@testable import TernNIO

extension SlowLookUpTests {
    @Test func `a thread for look-ups has a small stack`() async throws {
        let byteCount = Mutex(0)
        let resolver = NameResolver(threadCount: 1) { _ in
            byteCount.withLock { $0 = Self.stackByteCount() }
            return .failure(.notConnected(.refused))
        }
        await #expect(throws: ConnectionError.self) {
            try await resolver.addresses(of: "a", until: nil, on: SystemClock())
        }
        #expect((1...1 << 20).contains(byteCount.withLock { $0 }))
    }

    /// Returns the length of the mapping that has a local variable of this thread; 0 if the system does not say.
    private static func stackByteCount() -> Int {
        var local = 0
        let address = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        for line in maps.split(separator: "\n") {
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            if bounds.count == 2, bounds[0] <= address, address < bounds[1] { return Int(bounds[1] - bounds[0]) }
        }
        return 0
    }
}
#endif
