// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernErrors

/// Which messages have arrived and who waits for one: events in, actions out, no effects.
///
/// ``MessageQueue`` performs what it says.
struct MessageQueueStateMachine: Sendable {
    /// What has arrived.
    enum Item: Sendable {
        case message(WebSocketMessage)
        case fragment(WebSocketFragment)

        /// What it weighs against the limit: its payload, and something for itself, so that empty ones count, too.
        var weight: Int {
            switch self {
            case .message(let message): message.byteCount + Self.overhead
            case .fragment(let fragment): fragment.data.count + Self.overhead
            }
        }

        private static let overhead = 64
    }

    /// What a task gets in the end: an item, the end, or why there are no more.
    typealias Delivery = Result<Item?, ClientError>

    /// What to do for a task that wants an item.
    enum TakeAction {
        /// Give it this now; when `resumesReader`, let the reader go on.
        case give(Delivery, resumesReader: Bool)
        /// Suspend the task, then report ``suspended(_:)``.
        case wait(Consumer)
    }

    /// What to do after an event.
    struct Effects {
        /// Resume each of these suspended consumers with what it is given.
        var resume: [(consumer: Consumer, delivery: Delivery)] = []
        /// Let the reader go on, if it waits.
        var resumesReader = false
    }

    /// A task that wants an item.
    struct Consumer: Hashable, Sendable {
        fileprivate var number: Int
    }

    private enum Phase {
        /// The task suspends just now. Left when it has, or when it is cancelled first.
        case suspending
        /// The task was cancelled before it had suspended. Left when it has.
        case cancelledEarly
        /// The task is suspended. Left with an item, the end, or its cancellation.
        case waiting
    }

    private enum End {
        /// More may come. Left by the end.
        case open
        /// Nothing more comes; the next task is told why. Left when it was.
        case failed(ClientError)
        /// Nothing more comes, in order. Never left.
        case over
    }

    private var items = Deque<Item>()
    private var weight = 0
    private var consumers = Deque<(consumer: Consumer, phase: Phase)>()
    private var end = End.open
    private var isReaderWaiting = false
    private var lastNumber = 0
    private let limit: Int

    /// Creates an empty queue that has room while it weighs less than `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// Whether the reader may go on.
    var hasRoom: Bool { self.weight < self.limit || self.isOver }

    /// Whether nothing that arrives is wanted any more.
    private var isOver: Bool {
        if case .open = self.end { false } else { true }
    }

    // MARK: The consumers

    /// A task wants the next item if it is a whole message and there now.
    mutating func takenMessage() -> (message: WebSocketMessage, resumesReader: Bool)? {
        guard self.consumers.isEmpty, let item = self.items.popFirst() else { return nil }
        guard case .message(let message) = item else {
            self.items.prepend(item)
            return nil
        }
        self.weight -= item.weight
        return (message, self.resumesReader())
    }

    /// A task wants the next item.
    mutating func taken() -> TakeAction {
        if self.consumers.isEmpty, let item = self.items.popFirst() {
            self.weight -= item.weight
            return .give(.success(item), resumesReader: self.resumesReader())
        }
        // Behind those who wait, even at the end: what is there is theirs first.
        if self.consumers.isEmpty {
            switch self.end {
            case .open: break
            case .failed(let error):
                self.end = .over
                return .give(.failure(error), resumesReader: false)
            case .over:
                return .give(.success(nil), resumesReader: false)
            }
        }
        self.lastNumber += 1
        let consumer = Consumer(number: self.lastNumber)
        self.consumers.append((consumer, .suspending))
        return .wait(consumer)
    }

    /// The task is suspended and can be resumed.
    mutating func suspended(_ consumer: Consumer, cancelling error: @autoclosure () -> ClientError) -> Effects {
        guard let index = self.consumers.firstIndex(where: { $0.consumer == consumer }) else { return Effects() }
        if case .cancelledEarly = self.consumers[index].phase {
            return self.removed(at: index, error())
        }
        self.consumers[index].phase = .waiting
        return self.satisfied()
    }

    /// The task was cancelled.
    mutating func cancelled(_ consumer: Consumer, _ error: @autoclosure () -> ClientError) -> Effects {
        guard let index = self.consumers.firstIndex(where: { $0.consumer == consumer }) else { return Effects() }
        guard case .waiting = self.consumers[index].phase else {
            self.consumers[index].phase = .cancelledEarly
            return Effects()
        }
        return self.removed(at: index, error())
    }

    // MARK: The reader

    /// Items of a weight arrived; they are taken out of `batch`.
    mutating func arrived(_ batch: inout Deque<Item>, weight: Int) -> Effects {
        if !self.isOver {
            self.weight += weight
            if self.items.isEmpty { swap(&self.items, &batch) } else { self.items.append(contentsOf: batch) }
        }
        batch.removeAll(keepingCapacity: true)
        return self.satisfied()
    }

    /// Nothing more comes: in order when `error` is `nil`.
    ///
    /// - Parameters:
    ///   - error: why.
    ///   - dropsItems: whether what has arrived is no longer wanted.
    /// - Returns: The reader to resume.
    mutating func ended(_ error: ClientError?, dropsItems: Bool) -> Effects {
        if dropsItems {
            self.items.removeAll()
            self.weight = 0
            if case .failed = self.end { self.end = .over }
        }
        if case .open = self.end { self.end = error.map { .failed($0) } ?? .over }
        var effects = self.satisfied()
        if self.isReaderWaiting { effects.resumesReader = true }  // or it goes on already, where there is room now
        self.isReaderWaiting = false
        return effects
    }

    /// The reader found no room; returns whether it must still wait.
    mutating func readerWaits() -> Bool {
        self.isReaderWaiting = !self.hasRoom
        return self.isReaderWaiting
    }

    // MARK: Parts

    /// The reader goes on when half of the room is there, so that it is not woken for each item.
    private mutating func resumesReader() -> Bool {
        guard self.isReaderWaiting, self.weight <= self.limit / 2 else { return false }
        self.isReaderWaiting = false
        return true
    }

    /// A consumer no longer waits; it may have stood before one that can go on.
    private mutating func removed(at index: Int, _ error: ClientError) -> Effects {
        let consumer = self.consumers.remove(at: index).consumer
        var effects = self.satisfied()
        effects.resume.append((consumer, .failure(error)))
        return effects
    }

    /// Serves those who wait, the first first, with what there is.
    private mutating func satisfied() -> Effects {
        var effects = Effects()
        while let first = self.consumers.first, case .waiting = first.phase {
            guard let delivery = self.nextDelivery() else { break }
            self.consumers.removeFirst()
            effects.resume.append((first.consumer, delivery))
        }
        let toldFailure = effects.resume.contains { resumption in
            if case .failure = resumption.delivery { true } else { false }
        }
        if toldFailure { self.end = .over }
        effects.resumesReader = self.resumesReader()
        return effects
    }

    private mutating func nextDelivery() -> Delivery? {
        if let item = self.items.popFirst() {
            self.weight -= item.weight
            return .success(item)
        }
        return switch self.end {
        case .open: nil
        case .failed(let error): .failure(error)
        case .over: .success(nil)
        }
    }
}
