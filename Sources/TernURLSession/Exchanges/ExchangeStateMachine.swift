// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernConnections
import TernErrors
import TernRequests

/// Decides what happens to one request and its response over `URLSession`.
///
/// The methods are events, and return what the driver does after it has released its lock. Events after the end change nothing,
/// because `URLSession` reports some after a task was cancelled.
struct ExchangeStateMachine: Sendable {
    enum Buffering: Hashable, Sendable {
        /// At `high` unread bytes the task is suspended; at `low`, it is resumed.
        case pausing(low: Int, high: Int)
        /// The task cannot be suspended; with more than `limit` unread bytes, the exchange fails.
        case bounded(limit: Int)
    }

    struct Effects: Hashable, Sendable {
        /// The new state of the task; `nil` for no change.
        var wish: TaskSteering.Wish?
        /// Whether to wake the waiting task, which then asks again, or waits until another instant.
        var wakesWaiter = false
        var stopsBody = false

        static let none = Effects()
        static let wake = Effects(wakesWaiter: true)
        static let end = Effects(wish: .cancelled, wakesWaiter: true, stopsBody: true)
    }

    enum Step<Value: Sendable>: Sendable {
        case value(Value)
        case failed(ExchangeFailure)
        case wait
    }

    private enum State: Sendable {
        /// `URLSession` may deliver more. Ends with `completed`, a failure, or when the reader leaves.
        case open
        /// Events of `URLSession` change nothing more; the reader may still take what is left. Ends when the reader leaves.
        case ended(ExchangeFailure?)
        /// No task needs the rest. This state is final.
        case left
    }

    private var state = State.open
    private var upload: UploadProgress
    private let buffering: Buffering
    private let start: ClockInstant

    private(set) var head: ReceivedHead?
    private(set) var receivedByteCount: Int64 = 0
    /// Whether bytes of the body went out, perhaps in an earlier attempt of `URLSession` to send the request.
    private(set) var hasSentBody = false
    private var unread: Deque<ByteBuffer> = []
    private var unreadByteCount = 0
    private var isPaused = false
    private var isWaitingForConnectivity = false
    /// The last instant at which the server sent bytes, or `URLSession` took bytes of the body.
    private var lastActivity: ClockInstant

    init(_ buffering: Buffering, _ upload: UploadProgress, start: ClockInstant) {
        self.buffering = buffering
        self.upload = upload
        self.start = start
        self.lastActivity = start
    }

    private var isOpen: Bool {
        if case .open = self.state { true } else { false }
    }

    // MARK: Events of URLSession

    mutating func responseArrived(_ head: ReceivedHead, at now: ClockInstant) -> Effects {
        guard self.isOpen, self.head == nil else { return .none }
        self.head = head
        self.lastActivity = now
        return .wake
    }

    mutating func dataArrived(_ bytes: ByteBuffer, at now: ClockInstant) -> Effects {
        guard self.isOpen, bytes.readableBytes > 0 else { return .none }
        self.lastActivity = now
        self.receivedByteCount += Int64(bytes.readableBytes)
        self.unreadByteCount += bytes.readableBytes
        self.unread.append(bytes)
        switch self.buffering {
        case .pausing(_, let high):
            guard self.unreadByteCount >= high, !self.isPaused else { return .wake }
            self.isPaused = true
            return Effects(wish: .paused, wakesWaiter: true)
        case .bounded(let limit):
            guard self.unreadByteCount > limit else { return .wake }
            self.state = .ended(.tooManyUnreadBytes(limit: limit))
            return .end
        }
    }

    /// `URLSession` has ended the task, with `nil` for a complete response.
    mutating func completed(_ failure: ExchangeFailure?) -> Effects {
        guard self.isOpen else { return .none }
        var failure = failure
        if failure == nil {
            if let length = self.head?.bodyLength, self.receivedByteCount < length { failure = .truncated }
            if self.head == nil { failure = .noResponse }
        }
        self.state = .ended(failure)
        return Effects(wakesWaiter: true, stopsBody: true)
    }

    mutating func waitsForConnectivity() -> Effects {
        guard self.isOpen, self.head == nil else { return .none }
        self.isWaitingForConnectivity = true
        return .wake
    }

    /// A part of the body was sent, or a response arrives; wakes the waiting task, whose time limits apply again after a wait for
    /// connectivity.
    mutating func connected() -> Effects {
        guard self.isOpen, self.isWaitingForConnectivity else { return .none }
        self.isWaitingForConnectivity = false
        return .wake
    }

    mutating func sent(_ byteCount: Int64, at now: ClockInstant) -> Effects {
        guard self.isOpen else { return .none }
        self.lastActivity = now
        if byteCount > 0 { self.hasSentBody = true }
        return self.upload.sent(byteCount, at: now) ? .wake : .none
    }

    // MARK: Events of the request body

    var sentByteCount: Int64? { self.upload.completeByteCount }

    /// A task begins to read the body, perhaps not for the first time.
    mutating func uploadBegan() -> Effects {
        guard self.isOpen else { return Effects(stopsBody: true) }
        self.upload = .stream
        return .wake
    }

    mutating func sourceIsSlow(_ isSlow: Bool, at now: ClockInstant) -> Effects {
        guard self.isOpen else { return .none }
        if !isSlow { self.lastActivity = now }
        self.upload.sourceIsSlow(isSlow)
        return .wake
    }

    mutating func sourceEnded(_ byteCount: Int64, at now: ClockInstant) -> Effects {
        guard self.isOpen else { return .none }
        self.upload.sourceEnded(byteCount, at: now)
        return .wake
    }

    // MARK: Events of the call

    mutating func failed(_ failure: ExchangeFailure) -> Effects {
        guard self.isOpen else { return .none }
        self.state = .ended(failure)
        self.unread.removeAll()
        self.unreadByteCount = 0
        return .end
    }

    mutating func readerLeft() -> Effects {
        defer {
            self.state = .left
            self.unread.removeAll()
            self.unreadByteCount = 0
        }
        return self.isOpen ? .end : .wake
    }

    func takeHead() -> Step<ReceivedHead> {
        if let head = self.head { return .value(head) }
        switch self.state {
        case .open: return .wait
        case .ended(let failure): return .failed(failure ?? .noResponse)
        case .left: return .failed(.discarded)
        }
    }

    /// Returns the first bytes that have arrived, or `nil` at the end of the body, and the effects.
    mutating func read(atLeast byteCount: Int) -> (Step<ByteBuffer?>, Effects) {
        switch self.state {
        case .open:
            guard !self.unread.isEmpty, self.unreadByteCount >= byteCount || self.isFull else { return (.wait, .none) }
        case .ended(let failure):
            guard self.unread.isEmpty else { break }
            return (failure.map { .failed($0) } ?? .value(nil), .none)
        case .left: return (.failed(.discarded), .none)
        }
        return self.takeUnread()
    }

    /// Whether to give the reader what has arrived, although it wants more.
    private var isFull: Bool {
        switch self.buffering {
        case .pausing: self.isPaused
        case .bounded(let limit): self.unreadByteCount > limit / 2
        }
    }

    private mutating func takeUnread() -> (Step<ByteBuffer?>, Effects) {
        guard let bytes = self.unread.popFirst() else { return (.wait, .none) }
        self.unreadByteCount -= bytes.readableBytes
        guard case .pausing(let low, _) = self.buffering, self.isPaused, self.isOpen, self.unreadByteCount <= low else {
            return (.value(bytes), .none)
        }
        self.isPaused = false
        return (.value(bytes), Effects(wish: .running))
    }

    // MARK: Time limits

    /// Returns the deadline of a wait, without that of the whole call.
    func deadline(_ timeouts: Timeouts, since start: ClockInstant) -> CallDeadline? {
        if self.head != nil { return self.idleDeadline(timeouts, since: start) }
        guard !self.isWaitingForConnectivity else { return nil }
        switch self.upload.stage {
        case .sent(let instant):
            return timeouts.firstByte.map { CallDeadline(.firstByte, limit: $0, from: instant ?? self.start) }
        case .waitingForSource: return nil
        case .sending: return self.idleDeadline(timeouts, since: start)
        }
    }

    private func idleDeadline(_ timeouts: Timeouts, since start: ClockInstant) -> CallDeadline? {
        timeouts.idle.map { CallDeadline(.idle, limit: $0, from: max(start, self.lastActivity)) }
    }
}
