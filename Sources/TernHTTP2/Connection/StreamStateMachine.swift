// SPDX-License-Identifier: Apache-2.0

/// The state of a stream, which determines the frames that may come (RFC 9113 §5.1); without pushes, no state is reserved.
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
        /// Both sides have ended the stream, one side has reset it, or a GOAWAY has refused it.
        case closed(Cause)
    }

    /// The way in which a stream was closed, which determines how the client handles late frames.
    enum Cause: Hashable, Sendable {
        /// Request and response have ended, or the cause is not stored.
        case ended
        /// The client reset the stream, or a GOAWAY refused it, so late frames may still come.
        case resetByClient
        case resetByServer
    }

    enum Verdict: Hashable, Sendable {
        case accepted
        /// The stream ignores the frame, which may still update the HPACK table and the window of the connection.
        case ignored
    }

    private(set) var state: State

    init(_ state: State = .idle) { self.state = state }

    var mayReceive: Bool { self.state == .open || self.state == .halfClosedLocal }
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
