// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernHTTP2

extension HTTP2Session {
    func armKeepAlive(at instant: ClockInstant) {
        // The timer holds the session until the session ends or is closed. Weak references to an object make each use of
        // the object slower.
        self.locked.arm(at: instant, on: self.clock) { self.keepAliveTimerFired() }
    }

    private func keepAliveTimerFired() {
        let now = self.clock.now
        let (action, _) = self.perform { locked in
            let action = locked.keepAlive.timerFired(now: now)
            if case .ping = action { locked.machine.ping(0) }
            return action
        }
        switch action {
        case .arm(let instant), .ping(let instant): self.armKeepAlive(at: instant)
        case .fail: self.connection.close()  // ends the reader, which fails the streams
        case .rest: break
        }
    }
}
