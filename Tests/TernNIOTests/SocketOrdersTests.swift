// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernNIO

/// Every order of what may happen around a socket, up to a length.
@Suite("SocketStateMachine: all orders of events")
struct SocketOrdersTests {
    @Test func `a reader, without TLS`() { self.explore(World(.plain, readerCount: 1)) }

    @Test func `a reader, with TLS`() { self.explore(World(.encrypted, readerCount: 1)) }

    @Test func `a reader that is slower than the peer, without TLS`() {
        self.explore(World(.plain, readerCount: 1), after: Self.fullInbox)
    }

    @Test func `a reader that is slower than the peer, with TLS`() {
        self.explore(World(.encrypted, readerCount: 1), after: Self.fullInbox)
    }

    @Test func `two readers of what an action receives`() { self.explore(World(.byAction, readerCount: 2)) }

    /// The inbox is full, more has arrived, and the thread that watches has not handled that.
    private static let fullInbox: [World.Event] = [.muchArrives, .report, .task, .later, .littleArrives, .report]

    private static let depth = 8

    /// Tries each event that may come next; worlds that several orders lead to are tried once.
    private func explore(_ first: World, after begin: [World.Event] = []) {
        var first = first
        for event in begin { first.happen(event) }
        var seen: Set = [first]
        var worlds: [(world: World, script: [World.Event])] = [(first, begin)]
        for _ in 0..<Self.depth {
            var next: [(world: World, script: [World.Event])] = []
            for (world, script) in worlds {
                for event in world.possibleEvents {
                    var world = world
                    world.happen(event)
                    guard seen.insert(world).inserted else { continue }
                    let script = script + [event]
                    let problem = world.problem ?? world.settled.problem
                    #expect(problem == nil, "\(script)")
                    guard problem == nil else { return }
                    next.append((world, script))
                }
            }
            worlds = next
        }
    }
}

/// A machine and what surrounds it: the system, the peer, the loop, the handlers and readers.
///
/// A task of the loop waits until some thread performs it. So a reader may act while others have left tasks to another thread.
private struct World: Hashable {
    enum Kind {
        case plain
        /// The handlers ask for bytes themselves.
        case encrypted
        /// An action takes the bytes at once, and waits again.
        case byAction
    }

    enum Event: Hashable {
        case littleArrives, muchArrives, peerEnds, peerResets, peerMakesRoom
        case report, task, later
        case read(Int), asks(Int), polls(Int), waits(Int), receives(Int), givesUp(Int)
        case flush, close
    }

    private enum Task: Hashable {
        case report(isEnd: Bool, hasRoom: Bool)
        case receive, wanted, demanded, watch, action, pollEnded, flush, failed, close
    }

    private enum Reader: Hashable {
        case working
        /// Has found no bytes.
        case asking
        case deciding(mayPoll: Bool)
        case polling
        case waiting
    }

    /// The number of bytes for which a read has room.
    private static let readByteCount = 2
    /// The number of bytes at which the handlers want no more.
    private static let limit = 3

    private let kind: Kind
    private var machine = SocketStateMachine()
    /// The first rule that was broken.
    private(set) var problem: String?

    // The system
    private var reportsArrivals = true
    private var reportsRoom = false
    /// Whether something has changed since the last report.
    private var hasChanged = false
    private var arrivedCount = 0
    private var room = 1
    /// Whether a write has found no room, and the peer has made none since.
    private var isKnownToBeFull = false
    private var hasPeerEnded = false
    private var isReset = false

    // The channel and its loop
    private var tasks: [Task] = []
    private var hasLater = false
    private var isReceiving = false
    private var hasFailed = false
    private var isDemanded = false
    private var unsentCount = 0
    private var isClosing = false
    private var isClosed = false

    // The inboxes, of which `byAction` has one for each reader
    private var readers: [Reader]
    private var byteCounts: [Int]
    private var isFull = false
    private var hasEnded = false

    init(_ kind: Kind, readerCount: Int) {
        self.kind = kind
        self.readers = Array(repeating: .working, count: readerCount)
        self.byteCounts = Array(repeating: 0, count: readerCount)
        self.perform(self.machine.wanted())
        if kind == .byAction { self.tasks.append(.action) }
    }

    // MARK: What may happen

    var possibleEvents: [Event] {
        var events = self.innerEvents
        if !self.hasPeerEnded, !self.isClosed {
            if self.arrivedCount < Self.readByteCount { events += [.littleArrives, .muchArrives] }
            events += [.peerEnds, .peerResets]
        }
        if self.room == 0 { events.append(.peerMakesRoom) }
        for index in self.readers.indices where self.readers[index] == .working && !self.hasEnded {
            events.append(.read(index))
        }
        if !self.isClosing {
            if self.unsentCount < 2 { events.append(.flush) }
            events.append(.close)
        }
        return events
    }

    /// The events that need neither the peer nor the caller, the next first.
    private var innerEvents: [Event] {
        var events: [Event] = []
        if !self.tasks.isEmpty { events.append(.task) }
        if self.hasLater { events.append(.later) }
        if self.hasChanged, !self.isClosed { events.append(.report) }
        for (index, reader) in self.readers.enumerated() {
            switch reader {
            case .asking: events.append(.asks(index))
            case .deciding(let mayPoll): events += mayPoll ? [.waits(index), .polls(index)] : [.waits(index)]
            case .polling: events += [.givesUp(index), .receives(index)]
            case .working, .waiting: break
            }
        }
        return events
    }

    /// The world when the peer and the caller do nothing more.
    var settled: World {
        var world = self
        while world.problem == nil, let event = world.innerEvents.first { world.happen(event) }
        let isLeft = world.arrivedCount > 0 || world.hasPeerEnded && !world.hasEnded
        let waits =
            switch world.kind {
            case .plain: world.readers.contains(.waiting)
            // The handlers may want bytes also while no reader waits, unless a reader polls often.
            case .encrypted:
                world.readers.contains(.waiting) || world.machine.isWanted && world.machine.receiver == .demanded
            case .byAction: true
            }
        if isLeft, waits, !world.isClosed { world.report("nobody receives what is wanted") }
        if world.unsentCount > 0, world.room > 0, !world.isClosed { world.report("nobody sends") }
        return world
    }

    mutating func happen(_ event: Event) {
        switch event {
        case .littleArrives: self.arrives(1)
        case .muchArrives: self.arrives(5)
        case .peerEnds, .peerResets:
            self.hasPeerEnded = true
            self.isReset = event == .peerResets
            self.hasChanged = true
        case .peerMakesRoom:
            self.room += 1
            self.isKnownToBeFull = false
            if self.reportsRoom { self.hasChanged = true }
        case .report:
            self.hasChanged = false
            self.tasks.append(.report(isEnd: self.hasPeerEnded, hasRoom: self.reportsRoom && self.room > 0))
        case .task: self.perform(self.tasks.removeFirst())
        case .later:
            self.hasLater = false
            self.machine.continued()
            self.receiveAll()
        case .read(let index): self.read(index)
        case .asks(let index): self.ask(index)
        case .polls(let index): self.poll(index)
        case .waits(let index):
            if !self.machine.watchesArrivals { self.tasks.append(.watch) }
            self.readers[index] = .waiting
        case .receives(let index):
            if self.tasks.isEmpty { self.receive() }
            if self.satisfies(index) { self.endPolling(index, .working) }
        case .givesUp(let index): self.endPolling(index, .deciding(mayPoll: false))
        case .flush:
            self.unsentCount += 1
            self.tasks.append(.flush)
        case .close:
            self.isClosing = true
            self.hasEnded = true
            self.tasks.append(.close)
        }
        for index in self.readers.indices where self.readers[index] == .waiting && self.satisfies(index) {
            self.readers[index] = .working
        }
        let isTold =
            self.reportsArrivals == self.machine.watchesArrivals && self.reportsRoom == self.machine.watchesRoom
        if !isTold, !self.isClosed { self.report("the system was not told what to report") }
        let isPolling = self.readers.contains(.polling) || self.tasks.contains(.pollEnded)
        if self.machine.isPolled != isPolling { self.report("the poller is not known") }
        let isTooMuch = self.machine.watchesRoom && self.unsentCount == 0
        if isTooMuch, !self.isClosed { self.report("the system reports room for nothing") }
    }

    private mutating func report(_ problem: String) { self.problem = self.problem ?? problem }

    // MARK: The peer and the system

    private mutating func arrives(_ count: Int) {
        self.arrivedCount += count
        if self.reportsArrivals { self.hasChanged = true }
    }

    private var isReady: Bool {
        self.reportsArrivals && self.arrivedCount > 0 || self.hasPeerEnded || self.reportsRoom && self.room > 0
    }

    // MARK: The channel

    private mutating func perform(_ task: Task) {
        switch task {
        case .report(let isEnd, let hasRoom):
            self.machine.arrived(isEnd: isEnd)
            self.receiveAll()
            self.perform(self.machine.handled(hasRoom: hasRoom))
        case .receive: self.receiveAll()
        case .wanted: self.perform(self.machine.wanted())
        case .demanded: self.perform(self.machine.demanded())
        case .watch: self.perform(self.machine.readerWaits())
        case .action: self.perform(self.machine.actionWaits())
        case .pollEnded: self.perform(self.machine.pollEnded())
        case .flush:
            let effects = self.machine.flushed()
            if effects == .send, self.isKnownToBeFull { self.report("a write that cannot succeed") }
            self.perform(effects)
        case .failed:
            while self.receive() {}
            self.close()
        case .close: self.close()
        }
    }

    private mutating func perform(_ effects: SocketStateMachine.Effects) {
        if self.isClosed, !effects.isEmpty { self.report("an effect after the end: \(effects)") }
        if effects.contains(.watch) {
            self.reportsArrivals = self.machine.watchesArrivals
            self.reportsRoom = self.machine.watchesRoom
            self.hasChanged = self.isReady
        }
        if effects.contains(.receive) || effects.contains(.receiveLater) {
            if self.isReceiving || self.hasLater { self.report("two receive") }
        }
        if effects.contains(.receive) { self.tasks.append(.receive) }
        if effects.contains(.receiveLater) { self.hasLater = true }
        if effects.contains(.send) { self.send() }
    }

    private mutating func receiveAll() {
        guard self.machine.roundsBegin() else { return }
        self.isReceiving = true
        if self.machine.mayHaveBytes { self.receive() }  // one round
        self.isReceiving = false
        self.perform(self.machine.roundsEnd())
    }

    @discardableResult
    private mutating func receive() -> Bool {
        guard self.machine.receives else { return false }
        if self.hasEnded, !self.isClosing { self.report("a read after the end") }
        let count = min(self.arrivedCount, Self.readByteCount)
        self.arrivedCount -= count
        if count == 0 {
            guard self.hasPeerEnded else {
                self.machine.wouldBlock()
                return false
            }
            let code = self.machine.receivedEnd()
            if code != (self.hasFailed ? 32 : nil) { self.report("the reason of the end is lost") }
            guard code == nil else {
                self.close()
                return true
            }
            self.hasEnded = true
        } else {
            self.machine.received(isShort: count < Self.readByteCount)
            self.deliver(count)
        }
        if !self.isFull { self.perform(self.machine.wanted()) }
        return true
    }

    /// Puts bytes into the inbox, as the last handler does.
    private mutating func deliver(_ count: Int) {
        guard !self.isClosing else { return }
        for index in self.byteCounts.indices { self.byteCounts[index] += count }
        if self.kind == .byAction {
            self.tasks.append(.action)
        } else {
            self.isFull = self.byteCounts[0] >= Self.limit
        }
    }

    private mutating func send() {
        while self.unsentCount > 0, !self.isClosed {
            if self.isReset {
                self.hasFailed = true
                self.machine.sendingFailed(32)
                self.tasks.append(.failed)
                return
            }
            guard self.room > 0 else {
                self.isKnownToBeFull = true
                return self.perform(self.machine.wouldBlockOnSend())
            }
            self.room -= 1
            self.unsentCount -= 1
        }
        self.perform(self.machine.sentAll())
    }

    private mutating func close() {
        guard !self.isClosed else { return }
        let isWatched = self.machine.watchesArrivals
        let effects = self.machine.closed()
        if effects != (isWatched ? [] : .discardArrivals) { self.report("bytes that are left reset the connection") }
        self.isClosing = true
        self.isClosed = true
        self.hasEnded = true
    }

    // MARK: The readers

    private func satisfies(_ index: Int) -> Bool { self.hasEnded || self.byteCounts[index] > 0 }

    private mutating func read(_ index: Int) {
        guard self.byteCounts[index] > 0 else {
            self.readers[index] = .asking
            return
        }
        self.byteCounts[index] = 0
        guard self.isFull else { return }
        self.isFull = false
        if self.kind == .plain { self.isDemanded = true }
        self.tasks.append(self.kind == .plain ? .demanded : .wanted)
    }

    private mutating func ask(_ index: Int) {
        self.readers[index] = .deciding(mayPoll: true)
        guard self.isDemanded else { return }
        self.isDemanded = false
        guard self.tasks.isEmpty else {
            self.tasks.append(.watch)
            self.readers[index] = .waiting
            return
        }
        guard self.machine.receiver == .demanded else { return }
        self.receiveAll()
        if self.satisfies(index) { self.readers[index] = .working }
    }

    private mutating func poll(_ index: Int) {
        self.readers[index] = .deciding(mayPoll: false)
        guard self.tasks.isEmpty, let effects = self.machine.pollBegan() else { return }
        self.readers[index] = .polling
        self.perform(effects)
    }

    private mutating func endPolling(_ index: Int, _ reader: Reader) {
        self.readers[index] = reader
        self.tasks.append(.pollEnded)
    }
}
