// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Races that the sanitizer must report, and correct code that it must not.
///
/// Run by scripts/test-threads before the tests.
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

    /// Changes a value in several threads, each time in order.
    static func order() async {
        let shared = Shared()
        self.inTwoThreads {
            // Often enough that one waits for the other.
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

    /// Gives what another thread has made, by a continuation that is resumed before the task suspends.
    private static func resumeEarly() async -> Shared {
        let early = Shared()
        let shared: Shared = await withUnsafeContinuation { continuation in
            Thread.detachNewThread {
                let shared = Shared()
                shared.count = 1
                continuation.resume(returning: shared)
                early.isDone.store(true, ordering: .relaxed)  // which puts nothing in order
            }
            while !early.isDone.load(ordering: .relaxed) { sched_yield() }
        }
        shared.count += 1
        return shared
    }
}
