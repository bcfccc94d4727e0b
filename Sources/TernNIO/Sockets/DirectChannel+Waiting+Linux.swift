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
                self.loop.execute { self.perform(self.state.readerWaits()) }
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
        self.loop.execute { self.perform(self.state.actionWaits()) }
    }

    func watch() {
        guard !self.isWatched.load(ordering: .relaxed) else { return }
        self.loop.execute { self.perform(self.state.readerWaits()) }
    }

    func readerDemands() {
        self.isDemanded.store(true, ordering: .relaxed)
        self.loop.execute { self.perform(self.state.demanded()) }
    }

    func receiveUnwatched() {
        self.loop.executeIfFree { if !self.state.watchesArrivals { self.receive() } }
    }

    /// Receives what a reader has demanded; `false` if the socket is watched, `nil` if another thread works for this channel.
    private func receiveDemanded() -> Bool? {
        self.loop.executeIfFree {
            guard self.state.receiver == .demanded else { return false }
            self.receiveAll()
            return true
        }
    }

    /// Receives on this thread until the reader is satisfied, or the time is over.
    private func poll(until isSatisfied: () -> Bool, before end: ClockInstant) -> Bool {
        let begins = self.loop.executeIfFree {
            guard let effects = self.state.pollBegan() else { return false }
            self.perform(effects)
            return true
        }
        guard begins ?? false else { return false }
        defer { self.loop.execute { self.perform(self.state.pollEnded()) } }
        repeat {
            self.loop.executeIfFree { self.receive() }
            if isSatisfied() { return true }
        } while Self.clock.now < end
        return false
    }
}
#endif
