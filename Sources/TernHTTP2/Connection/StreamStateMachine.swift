// SPDX-License-Identifier: Apache-2.0

/// The state of a stream.
///
/// The state determines the frames that may come, and the next state (RFC 9113 §5.1).
///
/// There is no reserved state, because the client does not accept pushed responses.
struct StreamStateMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The client has not opened the stream. Exits: `open`, `halfClosedLocal`.
        case idle
        /// Both sides may send. Exits: the three states below.
        case open
        /// The request has ended, and the server may still send. Exit: `closed`.
        case halfClosedLocal
        /// The response has ended, and the client may still send. Exit: `closed`.
        case halfClosedRemote
        /// Both sides have ended the stream, or one side has reset it.
        case closed(Cause)
    }

    /// The way in which a stream was closed.
    ///
    /// The cause determines how the client handles late frames for the stream.
    enum Cause: Hashable, Sendable {
        /// Request and response have ended. This is also the cause of a stream whose cause is no longer stored, such as
        /// a stream that the server reset.
        case ended
        /// The client reset the stream. The server may not have received the reset yet.
        case resetByClient
        /// The server reset the stream.
        case resetByServer
    }

    /// The way in which the client handles a received frame.
    enum Verdict: Hashable, Sendable {
        /// The client handles the frame.
        case accepted
        /// The stream ignores the frame. The frame still updates the HPACK table and the window of the connection.
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

    /// Decides how to handle a received frame, and changes the state.
    mutating func received(_ type: FrameType, endsStream: Bool = false) throws(HTTP2Violation) -> Verdict {
        switch type {
        // "The PRIORITY frame can be sent on a stream in any state" (§6.3).
        case .priority: return .ignored
        // An endpoint that has disabled push "MUST treat the receipt of a PUSH_PROMISE frame as a connection error"
        // (§6.6).
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
            // After an endpoint has reset a stream, it "MUST minimally process and then discard any frames it receives
            // in this state". An endpoint whose stream has ended "might receive a WINDOW_UPDATE or RST_STREAM frame
            // from its peer".
            if cause == .resetByClient || type == .reset || type == .windowUpdate { return .ignored }
            throw .closedStream
        }
    }
}
