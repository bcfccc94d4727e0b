// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernConnections

extension PoolStateMachine {
    struct MemberState {
        enum Phase {
            /// The pool may lend slots, unless it is shut down. Exits: `draining`, `closing`, removal.
            case open
            /// The session finishes the exchanges that it has, and gets no others. Exits: `closing`, removal.
            case draining
            case closing
        }

        let member: Member
        let number: MemberNumber
        let host: HostNumber
        var capacity: Int
        var phase = Phase.open
        var usedCount = 0
        var hasServed = false
        var idleSince: ClockInstant

        var hasFreeSlot: Bool { self.phase == .open && self.usedCount < self.capacity }
        var isIdle: Bool { self.phase == .open && self.usedCount == 0 }

        // The following methods change the state in place. Nearly every call runs them, and copying the state would
        // retain its references.

        mutating func lend() -> (member: Member, host: HostNumber, isReused: Bool, wasIdle: Bool, isLast: Bool) {
            let (isReused, wasIdle) = (self.hasServed, self.usedCount == 0)
            self.usedCount += 1
            self.hasServed = true
            return (self.member, self.host, isReused, wasIdle, !self.hasFreeSlot)
        }

        mutating func takeBack() -> (host: HostNumber, phase: Phase, isIdle: Bool, isFirst: Bool)? {
            guard self.usedCount > 0 else { return nil }
            let wasFull = self.usedCount >= self.capacity
            self.usedCount -= 1
            return (self.host, self.phase, self.usedCount == 0, wasFull && self.hasFreeSlot)
        }
    }

    struct WaiterState {
        let waiter: Waiter
        let isFresh: Bool
        /// Whether the call has asked for a slot before, and so goes before the calls that have asked only once.
        let goesFirst: Bool
        var dial: Dial?
    }

    struct DialState {
        let dial: Dial
        let initiator: Waiter
        /// The call that the dial is assigned to; `nil` if no call needs the dial.
        var waiter: Waiter?
        var isCancelled = false
    }

    enum Multiplexing {
        case unknown
        case no
        case yes
    }

    struct Host {
        /// The key; `nil` when the host was removed and its number is free.
        var key: Key?
        var multiplexing = Multiplexing.no
        /// The number of dials that may run at the same time; unused if each session serves one exchange at a time.
        var maximumDialCount = 1
        /// The instant at which one more dial may run; `nil` if no call waits for another dial.
        var nextDialInstant: ClockInstant?
        /// The indices of the sessions with a free slot; the session that got one last comes last.
        var available: [Int] = []
        var sessionCount = 0
        var dials: [DialState] = []
        var waiters = Deque<WaiterState>()

        var isEmpty: Bool { self.sessionCount == 0 && self.dials.isEmpty && self.waiters.isEmpty }
    }
}

// MARK: Decisions

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
