// SPDX-License-Identifier: Apache-2.0
import TernConnections

extension PoolStateMachine {
    struct Waiter: Hashable, Sendable {
        let host: HostNumber
        let number: Int
    }

    struct Dial: Hashable, Sendable {
        let host: HostNumber
        let number: Int
    }

    enum Grant: Sendable {
        case use(Member, Use)
        case dial(Dial)
        /// Continue to wait, because the dial that the call began has ended without serving it.
        case wait
        /// Ask for a slot once more, because a session of another host may serve the call; the call has left the queue.
        case again
    }

    struct Use: Equatable, Sendable {
        let isReused: Bool
        /// Whether the session had served exchanges, and was serving none, so that the server may have closed it.
        let wasIdle: Bool
    }

    enum Acquisition {
        case use(Member, Use)
        case dial(Dial, Waiter)
        case wait(Waiter)
        case refused
    }

    enum Effect {
        case resume(Waiter, Grant)
        case fail(Waiter)
        /// Close this session, and call ``closed(_:)`` when it is closed; until then it counts toward the limit of the host.
        case close(Member)
        case cancel(Dial)
        /// Stop reporting the steps of this dial to the call that began it, because the call no longer needs it.
        case detach(Dial)
        /// Call ``timerFired(now:)`` at this instant; replaces a timer that was set before.
        case armTimer(at: ClockInstant)
    }
}
