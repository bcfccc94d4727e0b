// SPDX-License-Identifier: Apache-2.0
import DequeModule
import TernErrors

/// Decides which task gets each message, and when the reader must wait, as the logic of ``MessageQueue``.
struct MessageQueueStateMachine: Sendable {
    enum Item: Sendable {
        case message(WebSocketMessage)
        case fragment(WebSocketFragment)

        /// The payload and a fixed overhead, so that empty items count toward the limit, too.
        var weight: Int {
            switch self {
            case .message(let message): message.byteCount + Self.overhead
            case .fragment(let fragment): fragment.data.count + Self.overhead
            }
        }

        private static let overhead = 64
    }

    /// An item, `nil` after the last item, or the error that ended the queue.
    typealias Delivery = Result<Item?, ClientError>

    enum TakeAction {
        case give(Delivery, resumesReader: Bool)
        case wait(Consumer)
    }

    struct Effects {
        var resume: [(consumer: Consumer, delivery: Delivery)] = []
        var resumesReader = false
    }

    struct Consumer: Hashable, Sendable {
        fileprivate var number: Int
    }

    private enum Phase {
        /// The task is about to suspend. Ends when it has suspended, or is cancelled.
        case suspending
        /// The task was cancelled before it had suspended. Ends when it has suspended.
        case cancelledEarly
        /// The task is suspended. Ends when it gets an item or the end, or is cancelled.
        case waiting
    }

    private enum End {
        /// More items may arrive. Ends when the WebSocket ends.
        case open
        /// After the items that are left, at least one task gets this error: those that wait, or the next that asks.
        case failed(ClientError)
        /// Each task that asks gets one of the items that are left, or else `nil`. This state is final.
        case over
    }

    private var items = Deque<Item>()
    private var weight = 0
    private var consumers = Deque<(consumer: Consumer, phase: Phase)>()
    private var end = End.open
    private var isReaderWaiting = false
    private var lastNumber = 0
    private let limit: Int

    /// Creates a queue with room for items that weigh less than `limit` bytes.
    init(limit: Int) { self.limit = max(0, limit) }

    var hasRoom: Bool { self.weight < self.limit || self.isOver }

    private var isOver: Bool {
        if case .open = self.end { false } else { true }
    }

    // MARK: The consumers

    mutating func takenMessage() -> (message: WebSocketMessage, resumesReader: Bool)? {
        guard self.consumers.isEmpty, let item = self.items.popFirst() else { return nil }
        guard case .message(let message) = item else {
            self.items.prepend(item)
            return nil
        }
        self.weight -= item.weight
        return (message, self.resumesReader())
    }

    mutating func taken() -> TakeAction {
        if self.consumers.isEmpty, let item = self.items.popFirst() {
            self.weight -= item.weight
            return .give(.success(item), resumesReader: self.resumesReader())
        }
        // If other tasks wait, queue behind them, even after the end: they get the remaining items first.
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

    mutating func suspended(_ consumer: Consumer, cancelling error: @autoclosure () -> ClientError) -> Effects {
        guard let index = self.consumers.firstIndex(where: { $0.consumer == consumer }) else { return Effects() }
        if case .cancelledEarly = self.consumers[index].phase {
            return self.removed(at: index, error())
        }
        self.consumers[index].phase = .waiting
        return self.satisfied()
    }

    mutating func cancelled(_ consumer: Consumer, _ error: @autoclosure () -> ClientError) -> Effects {
        guard let index = self.consumers.firstIndex(where: { $0.consumer == consumer }) else { return Effects() }
        guard case .waiting = self.consumers[index].phase else {
            self.consumers[index].phase = .cancelledEarly
            return Effects()
        }
        return self.removed(at: index, error())
    }

    // MARK: The reader

    mutating func arrived(_ batch: inout Deque<Item>, weight: Int) -> Effects {
        if !self.isOver {
            self.weight += weight
            if self.items.isEmpty { swap(&self.items, &batch) } else { self.items.append(contentsOf: batch) }
        }
        batch.removeAll(keepingCapacity: true)
        return self.satisfied()
    }

    /// Ends the queue with an error or `nil`, and perhaps drops the items, and an earlier error, that no task has received.
    mutating func ended(_ error: ClientError?, dropsItems: Bool) -> Effects {
        if dropsItems {
            self.items.removeAll()
            self.weight = 0
            if case .failed = self.end { self.end = .over }
        }
        if case .open = self.end { self.end = error.map { .failed($0) } ?? .over }
        var effects = self.satisfied()
        if self.isReaderWaiting { effects.resumesReader = true }  // if the reader does not wait, it needs no wake-up
        self.isReaderWaiting = false
        return effects
    }

    mutating func readerWaits() -> Bool {
        self.isReaderWaiting = !self.hasRoom
        return self.isReaderWaiting
    }

    // MARK: Parts

    /// Returns whether a waiting reader continues: when half of the queue is free, not for each item.
    private mutating func resumesReader() -> Bool {
        guard self.isReaderWaiting, self.weight <= self.limit / 2 else { return false }
        self.isReaderWaiting = false
        return true
    }

    /// Removes a cancelled consumer, after which those behind it may get items.
    private mutating func removed(at index: Int, _ error: ClientError) -> Effects {
        let consumer = self.consumers.remove(at: index).consumer
        var effects = self.satisfied()
        effects.resume.append((consumer, .failure(error)))
        return effects
    }

    /// Gives the available items, or the end, to the waiting consumers in order.
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
