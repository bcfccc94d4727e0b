// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization
import TernConnections

extension DirectChannel: DirectNetwork {
    /// The longest busy wait of a reader: about as long as suspending a task and waking a thread for it takes.
    private static let pollingTime = Duration.microseconds(50)
    /// The waits of all connections of the process, because they share its processors.
    private static let waits = RecentWaits()
    private static let clock = SystemClock()
    /// Kept, because NIO reads the number from files.
    private static let processorCount = System.coreCount

    func readerWaits(forAtLeast byteCount: Int, until isSatisfied: () -> Bool) -> RecentWaits.Wait {
        let start = Self.clock.now
        let (wait, otherCount) = Self.waits.begin(at: start)
        // One processor is for everything else. The peer may be on the same machine.
        let isFree = otherCount + 1 < Self.processorCount
        self.isQuiet.store(isFree || otherCount == 0, ordering: .relaxed)
        if self.isDemanded.load(ordering: .relaxed) {
            self.isDemanded.store(false, ordering: .relaxed)
            guard let hasReceived = self.receiveDemanded() else {
                // The other thread may just be about to stop watching the socket.
                self.loop.execute { self.wait(for: self.interest.union(.readable)) }
                return wait
            }
            if hasReceived, isSatisfied() { return wait }
        }
        if isFree, self.polls, byteCount <= Self.maximumAnswerByteCount, self.polling.withLock({ $0.begins() }) {
            let succeeds = self.poll(until: isSatisfied, before: start.advanced(by: Self.pollingTime))
            self.polling.withLock { $0.ended(succeeds: succeeds) }
            if succeeds { return wait }
        }
        self.watch()
        return wait
    }

    func ended(_ wait: RecentWaits.Wait) { Self.waits.end(wait) }

    func actionWaits() {
        self.loop.execute {
            self.input.isReadByActions = true
            if !self.input.isPolled { self.wait(for: self.interest.union(.readable)) }
        }
    }

    func watch() {
        guard !self.isWatched.load(ordering: .relaxed) else { return }
        self.loop.execute { self.wait(for: self.interest.union(.readable)) }
    }

    func receiveUnwatched() {
        self.loop.executeIfFree { if !self.interest.contains(.readable) { self.receive() } }
    }

    /// Receives on this thread until the reader is satisfied, or the time is over.
    private func poll(until isSatisfied: () -> Bool, before end: ClockInstant) -> Bool {
        let begins = self.loop.executeIfFree {
            guard !self.input.isPolled else { return false }
            self.input.isPolled = true
            // Otherwise each answer would wake the other thread, too.
            self.wait(for: self.interest.subtracting(.readable))
            return true
        }
        guard begins ?? false else { return false }
        defer {
            self.loop.execute {
                self.input.isPolled = false
                if self.input.isReadByActions { self.wait(for: self.interest.union(.readable)) }
            }
        }
        repeat {
            self.loop.executeIfFree { self.receive() }
            if isSatisfied() { return true }
        } while Self.clock.now < end
        return false
    }
}
#endif
