// SPDX-License-Identifier: Apache-2.0
import DequeModule
import NIOCore
import TernConnections
import TernErrors
import TernWebSocketCore

@testable import TernWebSocket

/// The errors that end a WebSocket in tests.
enum WebSocketEndReason: Hashable, Sendable {
    /// The connection is lost.
    case lost
    /// The server broke a rule.
    case violation
    /// The server accepts no bytes.
    case full
    /// The server does not answer a ping of keep-alive.
    case silent

    /// The failure that an error stands for.
    init(_ error: ClientError) {
        self =
            switch error {
            case .messageTooLarge: .violation
            case .timedOut(.idle, _, _): .full
            case .timedOut: .silent
            default: .lost
            }
    }

    var error: ClientError {
        let context = ClientError.Context(phase: .messages)
        return switch self {
        case .lost: .connectionLost(.closed, context)
        case .violation: .messageTooLarge(limit: 1, context)
        case .full: .timedOut(.idle, limit: .seconds(60), context)
        case .silent: .timedOut(.pong, limit: .seconds(4), context)
        }
    }
}

/// An event of a WebSocket; texts name the tasks and the payloads of pings.
enum WebSocketEvent: Hashable, Sendable {
    case closes(CloseCode = .normalClosure)
    case closesAndWaits(String)
    case isReleased
    /// A message cannot be completed.
    case failsToSend
    case receivesClose(CloseCode? = .normalClosure)
    case violates(CloseCode = .protocolError)
    case peerEnds
    case fails(WebSocketEndReason = .lost)
    case readerEnds
    /// A number of seconds passes, and the timer fires if it is set for an instant until then.
    case passes(Int)
    /// An earlier timer fires, which another timer has replaced meanwhile.
    case firesLate
    case receivesBytes
    case pausesReading(Bool)
    case sends(String)
    case cancelsSender(String)
    case endsTurn
    case pings(String)
    case cancelsPing(String)
    case pongs(to: String)
    case isPinged(String, hasRoom: Bool = true)
    case hasRoom
}

/// An action that a WebSocket requests from its driver.
enum WebSocketOutcome: Hashable, Sendable {
    case sendsClose(CloseCode?)
    case asksServer
    case endsMessages(WebSocketEndReason?)
    case dropsMessages
    /// The timer is set for this second.
    case arms(Int)
    case closesConnection
    case grants(String)
    case waits(String)
    /// A task learns that nothing more can be sent.
    case refuses(String)
    case sendsPing(String)
    case answers(String)
    case sendsPong(String)
    case waitsForRoom
    case resumes(String)
    case ends(CloseCode?, WebSocketEndReason?)
}

/// Passes events to a WebSocket's machine, and returns the machine's answers as values.
struct WebSocketRun {
    private(set) var machine: WebSocketStateMachine
    private var second = 0
    private var names: [ObjectIdentifier: String] = [:]
    /// The suspensions that have a name, so that no other suspension gets their place in memory.
    private var suspensions: [AnyObject] = []
    private var pingNumbers: [String: UInt64] = [:]
    private var cancelled: Set<String> = []

    init(hasKeepAlive: Bool = false, isStream: Bool = false) {
        let keepAlive = hasKeepAlive ? WebSocketKeepAlive(interval: .seconds(10), timeout: .seconds(4)) : nil
        self.machine = WebSocketStateMachine(
            keepAlive: keepAlive,
            closeTimeout: .seconds(5),
            isStream: isStream,
            now: .at(0)
        )
    }

    mutating func perform(_ event: WebSocketEvent) -> [WebSocketOutcome] {
        switch event {
        case .closes(let code): return self.happened(.closed(CloseFrame(fitting: code, "")))
        case .closesAndWaits(let name):
            let wait = self.named(name, WebSocketStateMachine.EndWait())
            let frame = CloseFrame(fitting: .normalClosure, "")
            return self.outcomes(self.machine.closed(frame, awaitedBy: wait, now: .at(self.second)))
        case .isReleased: return self.happened(.released(CloseFrame(fitting: .goingAway, "")))
        case .failsToSend: return self.happened(.sendFailed(CloseFrame(fitting: .internalError, "")))
        case .receivesClose(let code): return self.happened(.closeReceived(code, reason: ""))
        case .violates(let code): return self.happened(.violated(code, WebSocketEndReason.violation.error))
        case .peerEnds: return self.happened(.peerEnded(WebSocketEndReason.lost.error))
        case .fails(let failure): return self.happened(.failed(failure.error))
        case .readerEnds: return self.outcomes(self.machine.readerEnded())
        case .passes(let seconds):
            self.second += seconds
            guard let armed = self.machine.armedInstant, armed <= .at(self.second) else { return [] }
            return self.fire()
        case .firesLate: return self.fire()
        case .receivesBytes: self.machine.received(at: .at(self.second))
        case .pausesReading(let isPaused): self.machine.readerPaused(isPaused)
        case .sends(let name):
            switch self.machine.turnRequested() {
            case .granted: return [.grants(name)]
            case .wait(let waiter): _ = self.named(name, waiter)
            case .closed: return [.refuses(name)]
            }
            return [.waits(name)]
        case .cancelsSender(let name): self.cancelled.insert(name)
        case .endsTurn:
            while let waiter = self.machine.turnEnded() {
                let name = self.name(of: waiter)
                if !self.cancelled.contains(name) { return [.grants(name)] }
            }
        case .pings(let name):
            let wait = self.named(name, PingLedger.Wait())
            let number = self.machine.pingRequested(wait)
            self.pingNumbers[name] = number
            return [number == nil ? .refuses(name) : .sendsPing(name)]
        case .cancelsPing(let name): self.pingNumbers[name].map { self.machine.pingEnded($0) }
        case .pongs(let name):
            let waits = self.pingNumbers[name].map { self.machine.pongReceived($0) } ?? []
            return waits.map { .answers(self.name(of: $0)) }
        case .isPinged(let payload, let hasRoom):
            guard let payload = self.machine.pinged(ByteBuffer(string: payload)) else { return [] }
            let mustWait = self.machine.pongQueued(hasRoom: hasRoom)
            return [.sendsPong(String(buffer: payload))] + (mustWait ? [.waitsForRoom] : [])
        case .hasRoom: return self.machine.roomCame().map { [.sendsPong(String(buffer: $0))] } ?? []
        }
        return []
    }

    private mutating func happened(_ event: WebSocketEnding.Event) -> [WebSocketOutcome] {
        self.outcomes(self.machine.happened(event, now: .at(self.second)))
    }

    private mutating func fire() -> [WebSocketOutcome] {
        let context = ClientError.Context(phase: .messages)
        return self.outcomes(self.machine.timerFired(now: .at(self.second), context))
    }

    private func outcomes(_ effects: WebSocketStateMachine.Effects) -> [WebSocketOutcome] {
        var outcomes: [WebSocketOutcome] = []
        switch effects.send {
        case .close(let frame)?: outcomes.append(.sendsClose(frame.code))
        case .ping?: outcomes.append(.asksServer)
        case nil: break
        }
        switch effects.messages {
        case .ended(let error)?: outcomes.append(.endsMessages(error.map(WebSocketEndReason.init)))
        case .dropped?: outcomes.append(.dropsMessages)
        case nil: break
        }
        if let instant = effects.armTimer { outcomes.append(.arms(Int(instant.nanoseconds / 1_000_000_000))) }
        if effects.closesConnection { outcomes.append(.closesConnection) }
        outcomes += effects.senders.map { .refuses(self.name(of: $0)) }
        outcomes += effects.pings.map { .refuses(self.name(of: $0)) }
        outcomes += effects.endWaits.map { .resumes(self.name(of: $0)) }
        if let end = effects.end {
            outcomes.append(.ends(end.code.map { CloseCode(rawValue: $0) }, end.error.map(WebSocketEndReason.init)))
        }
        return outcomes
    }

    private mutating func named<Wait: AnyObject>(_ name: String, _ wait: Wait) -> Wait {
        self.names[ObjectIdentifier(wait)] = name
        self.suspensions.append(wait)
        return wait
    }

    private func name(of wait: AnyObject) -> String { self.names[ObjectIdentifier(wait)] ?? "?" }
}

extension ClockInstant {
    /// Returns the instant a number of seconds after the start of the clock.
    static func at(_ second: Int) -> ClockInstant { ClockInstant(nanoseconds: Int64(second) * 1_000_000_000) }
}
