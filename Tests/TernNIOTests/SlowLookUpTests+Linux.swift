// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors
import Testing

@testable import TernNIO

extension SlowLookUpTests {
    @Test func `a thread for look-ups has a small stack`() async throws {
        let size = Mutex(0)
        let resolver = NameResolver(threadCount: 1) { _ in
            var attributes = pthread_attr_t()
            var byteCount = 0
            if pthread_getattr_np(pthread_self(), &attributes) == 0 {
                pthread_attr_getstacksize(&attributes, &byteCount)
                pthread_attr_destroy(&attributes)
            }
            size.withLock { [byteCount] in $0 = byteCount }
            return .failure(.notConnected(.refused))
        }
        await #expect(throws: ConnectionError.self) {
            try await resolver.addresses(of: "a", until: nil, on: SystemClock())
        }
        #expect((1...1 << 20).contains(size.withLock { $0 }))
    }
}
#endif
