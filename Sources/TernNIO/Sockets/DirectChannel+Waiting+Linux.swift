// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Synchronization
import TernConnections

extension DirectChannel: DirectNetwork {
    private static let clock = SystemClock()

    func readerWaits(forAtLeast byteCount: Int, until isSatisfied: () -> Bool) -> ReaderWait {
        let start = Self.clock.now
        let (wait, isFree) = self.spinning.readerWaits(at: start)
        if self.isDemanded.load(ordering: .relaxed) {
            self.isDemanded.store(false, ordering: .relaxed)
            guard let hasReceived = self.receiveDemanded() else {
                // The other thread may just be about to stop watching the socket.
                self.loop.execute { self.perform(self.state.readerWaits()) }
                return wait
            }
            if hasReceived, isSatisfied() { return wait }
        }
        if isFree, self.spinning.pollBegins(forAtLeast: byteCount) {
            let succeeds = self.poll(until: isSatisfied, before: start.advanced(by: SpinPolicy.pollingTime))
            self.spinning.pollEnded(succeeds: succeeds)
            if succeeds { return wait }
        }
        self.watch()
        return wait
    }

    func ended(_ wait: ReaderWait) { self.spinning.ended(wait) }

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
        // A thread that only asks whether the connection is ready does not decrypt for others.
        self.loop.executeIfFree(budget: 0) { if !self.state.watchesArrivals { self.receive() } }
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
