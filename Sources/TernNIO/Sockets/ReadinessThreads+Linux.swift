// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization
import TernCLibrary

/// The threads that wait for sockets, among which the connections are divided.
final class ReadinessThreads: Sendable {
    static let shared = ReadinessThreads(count: servesSockets ? System.coreCount : 0)

    #if DEBUG
    /// Whether the threads serve sockets; `scripts/test --event-loops` tests what other platforms use.
    private static let servesSockets = getenv("TERN_TEST_EVENT_LOOPS") == nil
    #else
    private static let servesSockets = true
    #endif

    private let count: Int
    private let threads = Mutex((list: [Readiness](), next: 0))

    init(count: Int) { self.count = count }

    /// Returns the threads in turn; `nil` if there are none, or the system allows none.
    func next() -> Readiness? {
        guard self.count > 0 else { return nil }
        return self.threads.withLock { threads in
            let number = threads.next
            threads.next = (number + 1) % self.count
            if number < threads.list.count { return threads.list[number] }
            if let thread = Readiness() { threads.list.append(thread) }
            return threads.list.last
        }
    }
}
#endif
