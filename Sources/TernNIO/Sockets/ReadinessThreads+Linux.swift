// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization

/// The threads that wait for sockets, among which the connections are divided.
final class ReadinessThreads: Sendable {
    static let shared = ReadinessThreads(count: System.coreCount)

    private let count: Int
    private let threads = Mutex((list: [Readiness](), next: 0))

    init(count: Int) { self.count = count }

    /// Returns the threads in turn; `nil` if the system allows no thread.
    func next() -> Readiness? {
        self.threads.withLock { threads in
            let number = threads.next
            threads.next = (number + 1) % self.count
            if number < threads.list.count { return threads.list[number] }
            if let thread = Readiness() { threads.list.append(thread) }
            return threads.list.last
        }
    }
}
#endif
