// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Contains data races that the thread sanitizer must report, and correct code that it must not report.
///
/// scripts/test-threads runs this program before the tests.
enum Proof {
    private final class Shared: Sendable {
        let lock = Mutex(())
        let isDone = Atomic(false)
        nonisolated(unsafe) var count = 0
    }

    /// Changes a value in two threads without a lock.
    static func race() {
        let shared = Shared()
        self.inTwoThreads { shared.count += 1 }
    }

    /// Changes a value in several threads, with correct synchronization.
    static func order() async {
        let shared = Shared()
        self.inTwoThreads {
            // The loop is long enough that one thread has to wait for the other.
            for _ in 0..<20_000 { shared.lock.withLock { _ in shared.count += 1 } }
        }
        for _ in 0..<100 { await self.resumeEarly().count += 1 }
    }

    private static func inTwoThreads(_ work: @escaping @Sendable () -> Void) {
        let end = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            Thread.detachNewThread {
                work()
                end.signal()
            }
        }
        for _ in 0..<2 { end.wait() }
    }

    /// Returns a value that another thread created.
    ///
    /// The other thread resumes the continuation before the task suspends.
    private static func resumeEarly() async -> Shared {
        let early = Shared()
        let shared: Shared = await withUnsafeContinuation { continuation in
            Thread.detachNewThread {
                let shared = Shared()
                shared.count = 1
                continuation.resume(returning: shared)
                early.isDone.store(true, ordering: .relaxed)  // relaxed: does not synchronize the threads
            }
            while !early.isDone.load(ordering: .relaxed) { sched_yield() }
        }
        shared.count += 1
        return shared
    }
}
