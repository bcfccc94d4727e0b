// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
@_spi(CrossModuleInlining) import TernFields

extension HTTP2ConnectionStateMachine {
    /// Handles the next bytes from the server, which may begin and end anywhere within a frame; ranges of data refer to `input`.
    package mutating func receive(_ input: RawSpan, at time: Duration, effects: inout [HTTP2Effect]) {
        guard self.state != .failed else { return }
        self.floods.advanced(to: time)
        do throws(HTTP2Violation) {
            try input.withUnsafeBytes { (bytes) throws(HTTP2Violation) in
                try self.receive(ByteView(bytes), at: time, &effects)
            }
            self.updateConnectionWindow()
        } catch {
            self.fail(error, &effects)
        }
    }

    /// Fails all open streams, because the server closed its side of the connection or the connection broke.
    package mutating func connectionEnded(effects: inout [HTTP2Effect]) {
        guard self.state != .failed else { return }
        self.state = .failed
        self.failAll(.connectionEnded, &effects)
    }

    private mutating func receive(
        _ input: ByteView,
        at time: Duration,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        var offset = 0
        while let event = try self.decoder.next(input, &offset) {
            switch event {
            case .data(let stream, let range): try self.receivedContent(stream, range, &effects)
            case .dataStart(let header):
                try self.checkOrder(header)
                try self.receivedDataHeader(header, at: time, &effects)
            case .dataEnd(let header, let contentByteCount):
                try self.receivedDataEnd(header, contentByteCount, &effects)
            case .skipped(let header):
                try self.checkOrder(header)
                try self.receivedSkipped(header, &effects)
            case .frame(let header, .input(let range)):
                try self.checkOrder(header)
                try input.bytes(range) { (payload) throws(HTTP2Violation) in
                    try self.received(header, payload, at: time, &effects)
                }
            case .frame(let header, .gathered):
                try self.checkOrder(header)
                // Take the payload out of the decoder without a copy, so that the machine may change itself while it
                // reads the payload.
                let payload = self.decoder.takeGathered()
                defer { self.decoder.giveBack(payload) }
                try payload.withUnsafeBufferPointer { (bytes) throws(HTTP2Violation) in
                    try self.received(header, ByteView(UnsafeRawBufferPointer(bytes)), at: time, &effects)
                }
            }
        }
    }

    private func checkOrder(_ header: FrameHeader) throws(HTTP2Violation) {
        // The server sends "a potentially empty SETTINGS frame […] that MUST be the first frame the server sends" (RFC
        // 9113 §3.4).
        if !self.hasPeerSettings {
            let isPreface = header.type == .settings && !header.flags.contains(.acknowledgement)
            guard isPreface else { throw .missingSettings }
        }
        // Between the frames of a field block, "the receipt of any other type of frame or a frame on a different
        // stream" is a connection error (RFC 9113 §6.10).
        if let block = self.fieldBlock {
            guard header.type == .continuation, header.stream == block.stream else { throw .interruptedFieldBlock }
        } else if header.type == .continuation {
            throw .unexpectedContinuation
        }
    }

    private mutating func received(
        _ header: FrameHeader,
        _ payload: ByteView,
        at time: Duration,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        switch header.type {
        case .headers: try self.receivedHeaders(header, payload, &effects)
        case .continuation: try self.receivedContinuation(header, payload, &effects)
        case .reset: try self.receivedReset(header, payload, &effects)
        case .settings: try self.receivedSettings(header, payload, at: time, &effects)
        case .ping: try self.receivedPing(header, payload, at: time, &effects)
        case .goAway: try self.receivedGoAway(payload, &effects)
        case .windowUpdate: try self.receivedWindowUpdate(header, payload, &effects)
        default: break  // the decoder skips the payload of all other types
        }
    }

    // MARK: Failing

    /// Ends the connection with GOAWAY, because the server broke a rule.
    private mutating func fail(_ violation: HTTP2Violation, _ effects: inout [HTTP2Effect]) {
        self.state = .failed
        self.fieldBlock = nil
        FrameEncoder.goAway(lastStream: .connection, violation.code, into: &self.output)
        self.failAll(.connectionFailed(violation), &effects)
        effects.append(.connectionFailed(violation))
    }

    private mutating func failAll(_ failure: HTTP2StreamFailure, _ effects: inout [HTTP2Effect]) {
        for (stream, found) in zip(self.streams.ids, self.streams.values) {
            self.report(stream, found, failure, .unknown, &effects)
        }
        self.streams.removeAll()
        self.activeStreamCount = 0
    }

    /// Reports `failed` if the response of a stream is incomplete, or `requestStopped` if only its request is incomplete.
    func report(
        _ stream: HTTP2StreamID,
        _ found: HTTP2Stream,
        _ failure: HTTP2StreamFailure,
        _ delivery: HTTP2Delivery,
        _ effects: inout [HTTP2Effect]
    ) {
        if found.state.mayReceive {
            effects.append(.failed(stream, failure, delivery))
        } else if found.state.maySend {
            effects.append(.requestStopped(stream, failure.code))
        }
    }

    /// Resets the stream, or throws the violation if its scope is the connection.
    mutating func settle(
        _ violation: HTTP2Violation,
        _ stream: HTTP2StreamID,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        guard violation.scope == .stream else { throw violation }
        try self.floods.spend(.malformed)
        // A closed stream is reset again only if the server goes on sending on it.
        guard let found = self.streams[stream], !found.state.isClosed else {
            if violation == .closedStream { FrameEncoder.reset(stream, violation.code, into: &self.output) }
            return
        }
        FrameEncoder.reset(stream, violation.code, into: &self.output)
        self.resets.insert(stream, openCount: self.activeStreamCount)
        self.report(stream, found, .violation(violation), .unknown, &effects)
        self.remove(stream, found)
    }
}

extension HTTP2StreamFailure {
    fileprivate var code: HTTP2ErrorCode {
        switch self {
        case .reset(let code), .goingAway(let code): code
        case .violation(let violation), .connectionFailed(let violation): violation.code
        case .connectionEnded: .internalError
        }
    }
}

extension ByteView {
    @inline(__always)
    fileprivate func bytes(
        _ range: Range<Int>,
        _ body: (ByteView) throws(HTTP2Violation) -> Void
    ) throws(HTTP2Violation) {
        try body(ByteView(self.part(range)))
    }
}
