// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernConnections
import TernErrors
import TernRequests

/// Decides what happens to one request and its response over `URLSession`.
///
/// The methods are events: of `URLSession`, of the task that sends the body, and of the tasks that wait for the
/// response. Each returns what the driver does after it has released its lock. Events after the end change nothing,
/// because `URLSession` reports some after a task was cancelled.
struct ExchangeStateMachine: Sendable {
    /// The number of unread bytes that the machine allows.
    enum Buffering: Hashable, Sendable {
        /// At `high` unread bytes the task is suspended; at `low`, it is resumed.
        case pausing(low: Int, high: Int)
        /// The task cannot be suspended; with more than `limit` unread bytes, the exchange fails.
        case bounded(limit: Int)
    }

    /// The actions of the driver.
    struct Effects: Hashable, Sendable {
        /// The new state of the task; `nil` for no change.
        var wish: TaskSteering.Wish?
        /// Whether to wake the waiting task, which then asks again, or waits until another instant.
        var wakesWaiter = false
        /// Whether to stop reading the request body.
        var stopsBody = false

        static let none = Effects()
        static let wake = Effects(wakesWaiter: true)
        static let end = Effects(wish: .cancelled, wakesWaiter: true, stopsBody: true)
    }

    /// The answer for a task that waits.
    enum Step<Value: Sendable>: Sendable {
        /// The value for which the task has waited.
        case value(Value)
        /// The exchange has failed.
        case failed(ExchangeFailure)
        /// Wait until the machine wakes the task.
        case wait
    }

    private enum State: Sendable {
        /// `URLSession` may deliver more. Ends with `completed`, a failure, or when the reader leaves.
        case open
        /// The exchange is over for `URLSession`; the reader may still take what has arrived. Ends when the reader
        /// leaves.
        case ended(ExchangeFailure?)
        /// No task needs the rest. This state is final.
        case left
    }

    private var state = State.open
    private var upload: UploadProgress
    private let buffering: Buffering
    private let start: ClockInstant

    /// The head of the response, if it has arrived.
    private(set) var head: ReceivedHead?
    /// The number of bytes of the body that have arrived.
    private(set) var receivedByteCount: Int64 = 0
    private var unread: Deque<ByteBuffer> = []
    private var unreadByteCount = 0
    private var isPaused = false
    private var isWaitingForConnectivity = false
    /// The last instant at which the server sent bytes, or `URLSession` took bytes of the body.
    private var lastActivity: ClockInstant

    /// Creates a machine for an exchange that begins.
    ///
    /// - Parameters:
    ///   - buffering: The number of unread bytes to allow.
    ///   - upload: The progress of the request body.
    ///   - start: The present instant.
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

    /// The head of the final response has arrived.
    mutating func responseArrived(_ head: ReceivedHead, at now: ClockInstant) -> Effects {
        guard self.isOpen, self.head == nil else { return .none }
        self.head = head
        self.lastActivity = now
        return .wake
    }

    /// Bytes of the response body have arrived.
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

    /// `URLSession` has ended the task, or has delivered all that it will deliver.
    ///
    /// - Parameter failure: The error; `nil` for a complete response.
    /// - Returns: The effects.
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

    /// `URLSession` waits until a network becomes available.
    mutating func waitsForConnectivity() -> Effects {
        guard self.isOpen, self.head == nil else { return .none }
        self.isWaitingForConnectivity = true
        return .wake
    }

    /// `URLSession` has handed bytes of the request body to the network: `byteCount` bytes so far.
    mutating func sent(_ byteCount: Int64, at now: ClockInstant) -> Effects {
        guard self.isOpen else { return .none }
        self.lastActivity = now
        self.isWaitingForConnectivity = false
        return self.upload.sent(byteCount, at: now) ? .wake : .none
    }

    // MARK: Events of the request body

    /// The number of bytes of the complete request body that was sent; `nil` before, and without a body.
    var sentByteCount: Int64? { self.upload.completeByteCount }

    /// A task begins to read the body, perhaps not for the first time.
    mutating func uploadBegan() -> Effects {
        guard self.isOpen else { return Effects(stopsBody: true) }
        self.upload = .stream
        return .wake
    }

    /// The source of the body keeps `URLSession` waiting, or no longer does.
    mutating func sourceIsSlow(_ isSlow: Bool, at now: ClockInstant) -> Effects {
        guard self.isOpen else { return .none }
        if !isSlow { self.lastActivity = now }
        self.upload.sourceIsSlow(isSlow)
        return .wake
    }

    /// The source of the body has ended after `byteCount` bytes.
    mutating func sourceEnded(_ byteCount: Int64, at now: ClockInstant) -> Effects {
        guard self.isOpen else { return .none }
        self.upload.sourceEnded(byteCount, at: now)
        return .wake
    }

    // MARK: Events of the call

    /// The call was cancelled or timed out, a delegate refused the server, or the body could not be sent.
    mutating func failed(_ failure: ExchangeFailure) -> Effects {
        guard self.isOpen else { return .none }
        self.state = .ended(failure)
        self.unread.removeAll()
        self.unreadByteCount = 0
        return .end
    }

    /// No task needs the rest of the exchange.
    mutating func readerLeft() -> Effects {
        defer {
            self.state = .left
            self.unread.removeAll()
            self.unreadByteCount = 0
        }
        return self.isOpen ? .end : .wake
    }

    /// A task waits for the head.
    func takeHead() -> Step<ReceivedHead> {
        if let head = self.head { return .value(head) }
        switch self.state {
        case .open: return .wait
        case .ended(let failure): return .failed(failure ?? .noResponse)
        case .left: return .failed(.discarded)
        }
    }

    /// A task waits for `byteCount` bytes of the body.
    ///
    /// - Returns: The first bytes that have arrived, or `nil` at the end of the body, and the effects.
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

    /// Returns the time limit of a wait.
    ///
    /// - Parameters:
    ///   - timeouts: The limits of the call.
    ///   - start: The instant at which the wait began.
    /// - Returns: The deadline, without that of the whole call; `nil` if nothing limits the wait.
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
