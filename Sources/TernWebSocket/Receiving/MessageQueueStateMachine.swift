// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernErrors

/// Tracks which messages have arrived and which tasks wait for one.
///
/// Events go in, actions come out; ``MessageQueue`` performs them.
struct MessageQueueStateMachine: Sendable {
    /// An item that has arrived.
    enum Item: Sendable {
        case message(WebSocketMessage)
        case fragment(WebSocketFragment)

        /// The weight of the item against the limit: its payload and a fixed overhead, so that empty items count too.
        var weight: Int {
            switch self {
            case .message(let message): message.byteCount + Self.overhead
            case .fragment(let fragment): fragment.data.count + Self.overhead
            }
        }

        private static let overhead = 64
    }

    /// The final result for a task: an item, `nil` after the last item, or the error that ended the queue.
    typealias Delivery = Result<Item?, ClientError>

    /// The action to take for a task that asks for an item.
    enum TakeAction {
        /// Give the task this result now. If `resumesReader` is true, let the reader continue.
        case give(Delivery, resumesReader: Bool)
        /// Suspend the task, then report ``suspended(_:)``.
        case wait(Consumer)
    }

    /// The effects to perform after an event.
    struct Effects {
        /// The suspended consumers to resume, each with its result.
        var resume: [(consumer: Consumer, delivery: Delivery)] = []
        /// Whether to let the reader continue, if it waits.
        var resumesReader = false
    }

    /// A task that waits for an item.
    struct Consumer: Hashable, Sendable {
        fileprivate var number: Int
    }

    private enum Phase {
        /// The task is about to suspend. Left when it has, or when it is cancelled first.
        case suspending
        /// The task was cancelled before it had suspended. Left when it has suspended.
        case cancelledEarly
        /// The task is suspended. Left with an item, the end, or its cancellation.
        case waiting
    }

    private enum End {
        /// More items may come. Left by the end.
        case open
        /// No more items come; the next task gets the error. Left when a task has received it.
        case failed(ClientError)
        /// No more items come, and no error is left to deliver. Never left.
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

    /// Whether the reader may continue.
    var hasRoom: Bool { self.weight < self.limit || self.isOver }

    /// Whether the queue has ended, so that further items are dropped.
    private var isOver: Bool {
        if case .open = self.end { false } else { true }
    }

    // MARK: The consumers

    /// Takes the next item if it is a whole message and available now.
    mutating func takenMessage() -> (message: WebSocketMessage, resumesReader: Bool)? {
        guard self.consumers.isEmpty, let item = self.items.popFirst() else { return nil }
        guard case .message(let message) = item else {
            self.items.prepend(item)
            return nil
        }
        self.weight -= item.weight
        return (message, self.resumesReader())
    }

    /// Takes the next item, or registers a consumer that waits for it.
    mutating func taken() -> TakeAction {
        if self.consumers.isEmpty, let item = self.items.popFirst() {
            self.weight -= item.weight
            return .give(.success(item), resumesReader: self.resumesReader())
        }
        // Queue behind the tasks that wait, even at the end: available items belong to them first.
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

    /// A consumer has suspended and can be resumed.
    mutating func suspended(_ consumer: Consumer, cancelling error: @autoclosure () -> ClientError) -> Effects {
        guard let index = self.consumers.firstIndex(where: { $0.consumer == consumer }) else { return Effects() }
        if case .cancelledEarly = self.consumers[index].phase {
            return self.removed(at: index, error())
        }
        self.consumers[index].phase = .waiting
        return self.satisfied()
    }

    /// The task of a consumer was cancelled.
    mutating func cancelled(_ consumer: Consumer, _ error: @autoclosure () -> ClientError) -> Effects {
        guard let index = self.consumers.firstIndex(where: { $0.consumer == consumer }) else { return Effects() }
        guard case .waiting = self.consumers[index].phase else {
            self.consumers[index].phase = .cancelledEarly
            return Effects()
        }
        return self.removed(at: index, error())
    }

    // MARK: The reader

    /// Adds items that arrived, taking them out of `batch`.
    mutating func arrived(_ batch: inout Deque<Item>, weight: Int) -> Effects {
        if !self.isOver {
            self.weight += weight
            if self.items.isEmpty { swap(&self.items, &batch) } else { self.items.append(contentsOf: batch) }
        }
        batch.removeAll(keepingCapacity: true)
        return self.satisfied()
    }

    /// No more items come.
    ///
    /// Without an error, the WebSocket was closed cleanly.
    ///
    /// - Parameters:
    ///   - error: The error that ended the WebSocket, or `nil`.
    ///   - dropsItems: Whether to drop the items that have arrived.
    /// - Returns: The tasks to resume.
    mutating func ended(_ error: ClientError?, dropsItems: Bool) -> Effects {
        if dropsItems {
            self.items.removeAll()
            self.weight = 0
            if case .failed = self.end { self.end = .over }
        }
        if case .open = self.end { self.end = error.map { .failed($0) } ?? .over }
        var effects = self.satisfied()
        if self.isReaderWaiting { effects.resumesReader = true }  // otherwise the reader runs already
        self.isReaderWaiting = false
        return effects
    }

    /// The reader found no room; returns whether it must still wait.
    mutating func readerWaits() -> Bool {
        self.isReaderWaiting = !self.hasRoom
        return self.isReaderWaiting
    }

    // MARK: Parts

    /// Lets the reader continue when half of the room is free, so that it is not woken for each item.
    private mutating func resumesReader() -> Bool {
        guard self.isReaderWaiting, self.weight <= self.limit / 2 else { return false }
        self.isReaderWaiting = false
        return true
    }

    /// Removes a consumer that no longer waits, which may let those behind it continue.
    private mutating func removed(at index: Int, _ error: ClientError) -> Effects {
        let consumer = self.consumers.remove(at: index).consumer
        var effects = self.satisfied()
        effects.resume.append((consumer, .failure(error)))
        return effects
    }

    /// Serves the waiting consumers in order with what is available.
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
