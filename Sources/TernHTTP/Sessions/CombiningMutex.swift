// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

protocol CombinedWork: Sendable {
    associatedtype Value

    /// Performs the work of one or more threads, in the order in which they have left it.
    static func perform(_ works: inout some MutableCollection<Self>, on value: inout Value)

    /// Acts on the results, after the lock was released.
    static func finish(_ works: some Collection<Self>)
}

/// A lock for which ``perform(_:)`` does not wait: if another thread uses the value, that thread does the work of both.
///
/// Otherwise, each task that sends its next request while the event loop handles responses would stop its thread.
struct CombiningMutex<Work: CombinedWork>: ~Copyable, Sendable {
    private let value: Mutex<Work.Value>
    private let waiting = Mutex<[Work]>([])
    private let hasWaiting = Atomic<Bool>(false)

    init(_ value: consuming sending Work.Value) { self.value = Mutex(value) }

    /// Calls `body` after waiting for the lock, and then performs the work that other threads have left.
    borrowing func withLock<Result: Sendable>(_ body: (inout Work.Value) -> Result) -> Result {
        let result = self.value.withLock { value in body(&value) }
        self.performWaiting()
        return result
    }

    /// Performs work now, or leaves it to the thread that has the lock; the works of one thread keep their order.
    borrowing func perform(_ work: consuming Work) {
        var one = CollectionOfOne(consume work)
        var earlier: [Work] = []
        let isPerformed: Void? = self.value.withLockIfAvailable { value in
            // This thread may have left work to a thread that has released the lock since, and has not performed it yet.
            if self.hasWaiting.load(ordering: .relaxed) {
                earlier = self.takeWaiting()
                Work.perform(&earlier, on: &value)
            }
            Work.perform(&one, on: &value)
        }
        if isPerformed != nil {
            if !earlier.isEmpty { Work.finish(earlier) }
            Work.finish(one)
        } else {
            self.waiting.withLock { $0.append(one[0]) }
            self.hasWaiting.store(true, ordering: .sequentiallyConsistent)
        }
        self.performWaiting()
    }

    /// Performs the work that threads have left, unless a thread has the lock, which then performs the work.
    private borrowing func performWaiting() {
        while true {
            // A thread that leaves work first stores the flag and then tries the lock. A thread that has the lock first
            // releases the lock and then loads the flag. The fence keeps both orders, so one of the two sees the other.
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            guard self.hasWaiting.load(ordering: .sequentiallyConsistent) else { return }
            var works: [Work] = []
            let isPerformed: Void? = self.value.withLockIfAvailable { value in
                works = self.takeWaiting()
                Work.perform(&works, on: &value)
            }
            guard isPerformed != nil else { return }
            Work.finish(works)
        }
    }

    private borrowing func takeWaiting() -> [Work] {
        self.waiting.withLock { waiting in
            self.hasWaiting.store(false, ordering: .sequentiallyConsistent)
            defer { waiting = [] }
            return waiting
        }
    }
}

extension CombiningMutex where Work.Value: TimedState {
    borrowing func arm(at instant: ClockInstant, on clock: any TransportClock, _ action: @escaping @Sendable () -> Void)
    {
        let timer = clock.schedule(at: instant, action)
        self.withLock { $0.keep(timer, for: instant) }?.cancel()
    }
}
