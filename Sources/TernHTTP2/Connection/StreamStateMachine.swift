// SPDX-License-Identifier: Apache-2.0

/// Which frames may come for a stream, and what they make of it (RFC 9113 §5.1).
///
/// A client has no reserved streams: it does not accept pushed responses.
struct StreamStateMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The client has not opened it. Exits: `open`, `halfClosedLocal`.
        case idle
        /// Both sides may send. Exits: all below.
        case open
        /// The request has ended. Exit: `closed`.
        case halfClosedLocal
        /// The response has ended, but not the request. Exit: `closed`.
        case halfClosedRemote
        /// Both sides have ended, or one has reset the stream.
        case closed(Cause)
    }

    /// How a stream was closed, which decides about frames that come late.
    enum Cause: Hashable, Sendable {
        /// Request and response have ended; or it is so long ago that it is forgotten.
        case ended
        /// The client reset it. The server may not know yet.
        case resetByClient
        /// The server reset it.
        case resetByServer
    }

    /// What to do with a frame.
    enum Verdict: Hashable, Sendable {
        /// It counts.
        case accepted
        /// It is dropped, but for what it means to the connection: the tables of HPACK and the connection's window.
        case ignored
    }

    private(set) var state: State

    init(_ state: State = .idle) { self.state = state }

    /// Whether the response may still go on.
    var mayReceive: Bool { self.state == .open || self.state == .halfClosedLocal }
    /// Whether the request may still go on.
    var maySend: Bool { self.state == .open || self.state == .halfClosedRemote }
    var isClosed: Bool { if case .closed = self.state { true } else { false } }

    // MARK: What the client sends

    mutating func opened(endsStream: Bool) {
        precondition(self.state == .idle, "a stream is opened once")
        self.state = endsStream ? .halfClosedLocal : .open
    }

    mutating func sentEnd() {
        precondition(self.maySend, "a request ends once")
        self.state = self.state == .open ? .halfClosedLocal : .closed(.ended)
    }

    mutating func sentReset() { self.state = .closed(.resetByClient) }

    // MARK: What comes

    /// A frame came; its effect is on the state alone.
    mutating func received(_ type: FrameType, endsStream: Bool = false) throws(HTTP2Violation) -> Verdict {
        switch type {
        // "The PRIORITY frame can be sent on a stream in any state" (§6.3).
        case .priority: return .ignored
        // "a client MUST treat the receipt of a PUSH_PROMISE frame as a connection error" (§8.4).
        case .pushPromise: throw .push
        default: break
        }
        switch self.state {
        case .idle:
            // "Receiving any frame other than HEADERS or PRIORITY on a stream in this state MUST be treated as a
            // connection error"; HEADERS of a server open no stream either.
            throw .idleStream
        case .open, .halfClosedLocal:
            if type == .reset {
                self.state = .closed(.resetByServer)
            } else if endsStream {
                self.state = self.state == .open ? .halfClosedRemote : .closed(.ended)
            }
            return .accepted
        case .halfClosedRemote:
            // "If an endpoint receives additional frames, other than WINDOW_UPDATE, PRIORITY, or RST_STREAM, for a
            // stream that is in this state, it MUST respond with a stream error".
            switch type {
            case .reset:
                self.state = .closed(.resetByServer)
                return .accepted
            case .windowUpdate: return .accepted
            default: throw .closedStream
            }
        case .closed(let cause):
            // "An endpoint MUST minimally process and then discard any frames it receives in this state" if it has
            // reset the stream; one that has ended "might receive a WINDOW_UPDATE or RST_STREAM frame from its peer".
            if cause == .resetByClient || type == .reset || type == .windowUpdate { return .ignored }
            throw .closedStream
        }
    }
}
