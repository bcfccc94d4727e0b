// SPDX-License-Identifier: Apache-2.0

/// Decides who receives what arrives at a socket, and who sends what is queued for it, as the logic of `DirectChannel`.
///
/// | ``receiver`` | the system reports what arrives | who receives |
/// | --- | --- | --- |
/// | ``Receiver/watcher`` | yes | the thread that watches the socket, and in turn with it a reader that polls |
/// | ``Receiver/nobody`` | no | a reader that polls (``isPolled``); otherwise no thread, until a reader polls or waits |
/// | ``Receiver/demanded`` | no | a reader that has demanded bytes; or one that polls |
///
/// The end of the peer's side, and a failure, are reported in all three states. All events happen on the loop of the channel, one
/// after the other. After ``closed()``, no event has an effect.
///
/// An event changes a few bytes and returns a set of bits, because a GET has about ten of them.
struct SocketStateMachine: Hashable, Sendable {
    enum Receiver: Sendable {
        case watcher
        /// A reader polls or has polled; often it polls again soon, and then no thread need wake up.
        case nobody
        /// The handlers did not want bytes that had arrived; a reader that demands them receives them itself.
        case demanded
    }

    struct Effects: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// Tell the system what to report: ``watchesArrivals`` or ``watchesRoom`` has changed.
        static let watch = Effects(rawValue: 1 << 0)
        /// Receive, after the present task of the loop; see ``roundsBegin()``.
        static let receive = Effects(rawValue: 1 << 1)
        /// Call ``continued()`` after the loops of other connections had their turn, and then receive.
        static let receiveLater = Effects(rawValue: 1 << 2)
        /// Send until ``wouldBlockOnSend()``, ``sentAll()`` or ``sendingFailed(_:)``.
        static let send = Effects(rawValue: 1 << 3)
        /// Drop the bytes that have arrived.
        static let discardArrivals = Effects(rawValue: 1 << 4)
    }

    private enum Rounds {
        case none
        case running
        /// The watching thread will call ``continued()``.
        case later
    }

    private enum End {
        case none
        /// The peer has ended its side, or the connection has failed, so that a read must go on until the end.
        case near
        case received
    }

    private enum Sending: Hashable {
        /// Everything that was flushed is sent.
        case done
        case running
        /// Until the socket has room.
        case blocked
        /// Until the channel closes. The code stands for the end that a read finds, because the system reports a reset only once.
        case failed(CInt?)
    }

    private(set) var receiver = Receiver.watcher
    /// Whether a reader receives on its thread, for a short time.
    private(set) var isPolled = false
    /// Whether the system reports that the socket has room.
    private(set) var watchesRoom = false
    /// Whether the handlers, or a reader, want bytes.
    private(set) var isWanted = false
    /// Whether an action has waited, so that the thread watches the socket whenever no reader polls it.
    private var isReadByActions = false
    /// Whether the socket may have bytes; `false` is certain only while the thread watches it.
    private(set) var mayHaveBytes = false
    private var end = End.none
    private var rounds = Rounds.none
    private var sending = Sending.done
    private var isClosed = false

    /// Whether the system reports that bytes have arrived.
    var watchesArrivals: Bool { self.receiver == .watcher }

    /// Whether a read of the socket would find a use.
    var receives: Bool { self.isWanted && self.end != .received && !self.isClosed }

    /// Whether the socket has not taken all flushed bytes.
    var hasUnsent: Bool { self.sending != .done }

    // MARK: What is wanted

    /// The handlers ask for bytes.
    mutating func wanted() -> Effects {
        guard !self.isWanted, !self.isClosed else { return [] }
        self.isWanted = true
        guard self.rounds == .none else { return [] }
        var effects = self.receiver == .demanded ? self.watched() : []
        if self.mayHaveBytes, self.receiver == .watcher { effects.insert(.receive) }
        return effects
    }

    /// A reader asks for bytes, and then waits.
    mutating func demanded() -> Effects {
        guard self.receiver == .demanded else { return self.wanted() }
        // The reader itself receives them, when it has freed the memory of the bytes that it has.
        self.isWanted = true
        return []
    }

    /// A reader waits for the thread, without polling.
    mutating func readerWaits() -> Effects { self.watched() }

    /// An action waits for bytes.
    mutating func actionWaits() -> Effects {
        self.isReadByActions = true
        return self.isPolled ? [] : self.watched()
    }

    /// A reader would poll; returns `nil` if another one polls.
    mutating func pollBegan() -> Effects? {
        guard !self.isPolled else { return nil }
        self.isPolled = true
        // Otherwise each answer would wake the thread, too.
        return self.receiver == .watcher ? self.left(to: .nobody) : []
    }

    mutating func pollEnded() -> Effects {
        self.isPolled = false
        return self.isReadByActions ? self.watched() : []
    }

    // MARK: What arrives

    /// The system reports that the socket is ready; receive, and then call ``handled(hasRoom:)``.
    mutating func arrived(isEnd: Bool) {
        if isEnd, self.end == .none { self.end = .near }
        self.mayHaveBytes = true
    }

    /// The bytes that a report was about are received, as far as the handlers want them; the socket may have room, too.
    mutating func handled(hasRoom: Bool) -> Effects {
        // The handlers may leave bytes that have arrived, so that each further arrival would wake the thread for nothing.
        var effects: Effects =
            self.mayHaveBytes && !self.isWanted && self.receiver == .watcher ? self.left(to: .demanded) : []
        if hasRoom, self.sending == .blocked, !self.isClosed {
            self.sending = .running
            effects.insert(.send)
        }
        return effects
    }

    /// Returns whether to receive in rounds now: not if that happens already, or later.
    mutating func roundsBegin() -> Bool {
        guard self.rounds == .none else { return false }
        self.rounds = .running
        return true
    }

    /// The rounds are over, because there was nothing more to receive, or because there were many.
    mutating func roundsEnd() -> Effects {
        self.rounds = .none
        guard self.mayHaveBytes, self.receives else { return [] }
        self.rounds = .later
        return .receiveLater
    }

    mutating func continued() { self.rounds = .none }

    /// A read has found bytes, perhaps fewer than it had room for.
    mutating func received(isShort: Bool) {
        self.isWanted = false
        if isShort, self.end == .none { self.mayHaveBytes = false }
    }

    mutating func wouldBlock() { self.mayHaveBytes = false }

    /// A read has found the end; returns the code of an earlier failure of a write, which is then the reason of the end.
    mutating func receivedEnd() -> CInt? {
        if case .failed(let code?) = self.sending { return code }
        self.end = .received
        self.mayHaveBytes = false
        return nil
    }

    // MARK: What is sent

    /// Bytes are queued for the socket.
    mutating func flushed() -> Effects {
        // The thread that sends, or will when there is room, also sends these bytes.
        guard self.sending == .done, !self.isClosed else { return [] }
        self.sending = .running
        return .send
    }

    mutating func wouldBlockOnSend() -> Effects {
        self.sending = .blocked
        guard !self.watchesRoom, !self.isClosed else { return [] }
        self.watchesRoom = true
        return .watch
    }

    mutating func sentAll() -> Effects {
        self.sending = .done
        guard self.watchesRoom, !self.isClosed else { return [] }
        self.watchesRoom = false
        return .watch
    }

    /// A write has failed, with a code of the system or for a reason of this side.
    mutating func sendingFailed(_ code: CInt?) {
        self.sending = .failed(code)
        // The reader still gets the response that the peer may have sent before, also after a short read.
        if self.end == .none { self.end = .near }
    }

    // MARK: The end

    mutating func closed() -> Effects {
        self.isClosed = true
        // While the thread watches, what has arrived has been received.
        return self.receiver == .watcher ? [] : .discardArrivals
    }

    // MARK: Parts

    private mutating func watched() -> Effects { self.receiver == .watcher ? [] : self.left(to: .watcher) }

    private mutating func left(to receiver: Receiver) -> Effects {
        guard !self.isClosed else { return [] }
        self.receiver = receiver
        return .watch
    }
}
