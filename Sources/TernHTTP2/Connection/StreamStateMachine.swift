// SPDX-License-Identifier: Apache-2.0

/// The state of a stream, which decides which frames may come and which state follows (RFC 9113 §5.1).
///
/// There are no reserved streams, because the client does not accept pushed responses.
struct StreamStateMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The client has not opened the stream. Exits: `open`, `halfClosedLocal`.
        case idle
        /// Both sides may send. Exits: all below.
        case open
        /// The request has ended. Exit: `closed`.
        case halfClosedLocal
        /// The response has ended, but not the request. Exit: `closed`.
        case halfClosedRemote
        /// Both sides have ended the stream, or one side has reset it.
        case closed(Cause)
    }

    /// The way in which a stream was closed, which determines how late frames are handled.
    enum Cause: Hashable, Sendable {
        /// Request and response have ended, or the stream was closed so long ago that the cause is no longer stored.
        case ended
        /// The client reset the stream. The server may not know of it yet.
        case resetByClient
        /// The server reset the stream.
        case resetByServer
    }

    /// The decision about a frame.
    enum Verdict: Hashable, Sendable {
        /// The frame is handled.
        case accepted
        /// The stream ignores the frame. The frame still updates the connection's HPACK tables and window.
        case ignored
    }

    private(set) var state: State

    init(_ state: State = .idle) { self.state = state }

    /// Whether the server may still send its response.
    var mayReceive: Bool { self.state == .open || self.state == .halfClosedLocal }
    /// Whether the client may still send its request.
    var maySend: Bool { self.state == .open || self.state == .halfClosedRemote }
    var isClosed: Bool { if case .closed = self.state { true } else { false } }

    // MARK: Frames that the client sends

    mutating func opened(endsStream: Bool) {
        precondition(self.state == .idle, "the stream was already opened")
        self.state = endsStream ? .halfClosedLocal : .open
    }

    mutating func sentEnd() {
        precondition(self.maySend, "the request has already ended")
        self.state = self.state == .open ? .halfClosedLocal : .closed(.ended)
    }

    mutating func sentReset() { self.state = .closed(.resetByClient) }

    // MARK: Frames that the client receives

    /// Returns the decision about a received frame, and changes the state.
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
            // connection error". A server's HEADERS do not open a stream either.
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
            // "An endpoint MUST minimally process and then discard any frames it receives in this state" after it has
            // reset the stream; an endpoint whose stream has ended "might receive a WINDOW_UPDATE or RST_STREAM frame
            // from its peer".
            if cause == .resetByClient || type == .reset || type == .windowUpdate { return .ignored }
            throw .closedStream
        }
    }
}
