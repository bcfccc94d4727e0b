// SPDX-License-Identifier: Apache-2.0
import TernConnections

extension PoolStateMachine {
    /// A waiting call.
    struct Waiter: Hashable, Sendable {
        let host: HostNumber
        let number: Int
    }

    /// A connection that is being made.
    struct Dial: Hashable, Sendable {
        let host: HostNumber
        let number: Int
    }

    /// The next action of a waiting call.
    enum Grant: Sendable {
        /// Use a slot of this session.
        case use(Member, Use)
        /// Begin this dial, and continue to wait.
        case dial(Dial)
        /// Continue to wait, because the dial that the call began has served another call.
        case wait
        /// Ask for a slot once more, because a session of another host may serve the call. The call is no longer in the
        /// queue.
        case again
    }

    /// The past of a session whose slot is lent.
    struct Use: Equatable, Sendable {
        /// Whether the session has served an exchange before.
        let isReused: Bool
        /// Whether the session had served exchanges, and was serving none when this slot was lent, so that the server
        /// may have closed the session.
        let wasIdle: Bool
    }

    /// The answer to a call that needs a slot.
    enum Acquisition {
        /// Use a slot of this session.
        case use(Member, Use)
        /// Begin this dial. Wait until an effect resumes the waiter.
        case dial(Dial, Waiter)
        /// Wait until an effect resumes the waiter.
        case wait(Waiter)
        /// The pool is shut down.
        case refused
    }

    /// An action to perform after an event.
    ///
    /// Most events have none.
    enum Effect {
        /// Resume this waiter.
        case resume(Waiter, Grant)
        /// End the wait of this call with the error of the dial that has failed.
        case fail(Waiter)
        /// Close this session, and call ``closed(_:)`` when it is closed. Until then it counts toward the limit of the
        /// host.
        case close(Member)
        /// Cancel this dial. Report its end like that of any dial, usually with ``dialFailed(_:)``.
        case cancel(Dial)
        /// Stop reporting the steps of this dial to the call that began it, because that call has a slot of another
        /// session, or has given up.
        case detach(Dial)
        /// Call ``timerFired(now:)`` at this instant. This replaces the instant of an earlier timer.
        case armTimer(at: ClockInstant)
    }
}
