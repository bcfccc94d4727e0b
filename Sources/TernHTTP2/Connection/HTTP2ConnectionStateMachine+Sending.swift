// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

extension HTTP2ConnectionStateMachine {
    // MARK: Requests

    /// Opens a stream, whose identifier is higher than all earlier ones, and appends its HEADERS; adds nothing if it throws.
    package mutating func openStream(
        _ head: HTTP2RequestHead,
        endsStream: Bool
    ) throws(HTTP2RequestError) -> HTTP2StreamID {
        guard !self.isGoingAway, let stream = self.nextStream else { throw .goingAway }
        try head.validate()
        if head.protocolName != nil, !self.peerSettings.offersExtendedConnect { throw .extendedConnectUnavailable }
        guard self.availableStreamCount > 0 else { throw .tooManyStreams }
        if let limit = self.peerSettings.maximumFieldListByteCount, head.listByteCountUpperBound > limit {
            throw .fieldListTooLong(limit: limit)
        }
        let start = FrameEncoder.beginFieldBlock(in: &self.output)
        head.encode(endsStream: endsStream, with: &self.fieldEncoder, into: &self.output)
        self.endFieldBlock(from: start, stream, endsStream: endsStream)
        var added = HTTP2Stream(
            head.method,
            sendWindow: self.peerSettings.initialWindowByteCount,
            receiveWindow: self.streamWindowByteCount,
            interimLimit: self.limits.interimLimit(whileSending: head.bodyByteCount ?? 0)
        )
        added.state.opened(endsStream: endsStream)
        self.streams[stream] = added
        self.activeStreamCount += 1
        self.nextStream = stream < .highest ? HTTP2StreamID(rawValue: stream.rawValue + 2) : nil
        return stream
    }

    private mutating func endFieldBlock(from start: Int, _ stream: HTTP2StreamID, endsStream: Bool) {
        FrameEncoder.endFieldBlock(
            from: start,
            stream,
            endsStream: endsStream,
            maximumFrameByteCount: self.peerSettings.maximumFrameByteCount,
            in: &self.output
        )
    }

    /// Returns the number of bytes that may be sent now in one frame; 0 if the request has ended or the stream was reset.
    package func sendableByteCount(on stream: HTTP2StreamID) -> Int {
        guard let found = self.streams[stream], found.state.maySend else { return 0 }
        let window = min(found.sendWindow.byteCount, self.sendWindow.byteCount)
        return max(0, min(window, self.peerSettings.maximumFrameByteCount))
    }

    /// Returns whether the windows of the stream and of the connection have room for content of this length, in one or more frames.
    package func hasRoom(forContentOf byteCount: Int, on stream: HTTP2StreamID) -> Bool {
        guard let found = self.streams[stream], found.state.maySend else { return false }
        return byteCount <= min(found.sendWindow.byteCount, self.sendWindow.byteCount)
    }

    package var isConnectionWindowClosed: Bool { self.sendWindow.byteCount <= 0 }

    /// Appends the header of a DATA frame, after which the driver sends its content; `false` if the stream has ended.
    package mutating func encodeDataHeader(on stream: HTTP2StreamID, byteCount: Int, endsStream: Bool) -> Bool {
        guard var found = self.streams[stream], found.state.maySend else { return false }
        precondition(byteCount == 0 || byteCount <= self.sendableByteCount(on: stream), "more content than may be sent")
        FrameEncoder.dataHeader(stream, byteCount: byteCount, endsStream: endsStream, into: &self.output)
        self.sendWindow.spend(byteCount)
        found.sendWindow.spend(byteCount)
        self.floods.sent(contentOf: byteCount)
        if endsStream { self.endRequest(stream, &found) } else { self.streams[stream] = found }
        return true
    }

    /// Appends the trailers that HTTP/2 allows, or else an empty DATA frame; `false` if the stream has ended.
    package mutating func sendTrailers(_ fields: HTTPFields, on stream: HTTP2StreamID) -> Bool {
        guard var found = self.streams[stream], found.state.maySend else { return false }
        guard fields.contains(where: { RequestFieldKind($0.name.canonicalName).isSent }) else {
            return self.encodeDataHeader(on: stream, byteCount: 0, endsStream: true)
        }
        let start = FrameEncoder.beginFieldBlock(in: &self.output)
        self.fieldEncoder.beginBlock(into: &self.output)
        self.fieldEncoder.encode(fields, into: &self.output)
        self.endFieldBlock(from: start, stream, endsStream: true)
        self.endRequest(stream, &found)
        return true
    }

    private mutating func endRequest(_ stream: HTTP2StreamID, _ found: inout HTTP2Stream) {
        found.state.sentEnd()
        self.streams[stream] = found
        if found.state.isClosed { self.closed(stream, found) }
    }

    // MARK: Responses

    /// Records that the driver has read content, so that the server may send more after a WINDOW_UPDATE.
    package mutating func consumed(_ byteCount: Int, on stream: HTTP2StreamID) {
        guard var found = self.streams[stream] else { return }
        self.receiveWindow.read(min(byteCount, found.receiveWindow.unread))
        found.receiveWindow.read(byteCount)
        if found.state.isClosed, found.receiveWindow.unread == 0 {
            self.streams[stream] = nil
        } else {
            self.updateWindow(of: stream, &found)
            self.streams[stream] = found
        }
        self.updateConnectionWindow()
    }

    /// Returns the number of bytes that do not count as read, including announced bytes that have not arrived.
    package func unreadByteCount(on stream: HTTP2StreamID) -> Int { self.streams[stream]?.receiveWindow.unread ?? 0 }

    /// Resets a stream that has not ended, and counts its unread content as read; does nothing if the stream is no longer stored.
    package mutating func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode = .cancel) {
        guard let found = self.streams[stream], self.state != .failed else { return }
        if !found.state.isClosed {
            FrameEncoder.reset(stream, code, into: &self.output)
            self.resets.insert(stream, openCount: self.activeStreamCount)
            // Expect two late field blocks, because the head and the trailers of the response may be in flight.
            self.floods.expect(.ignored, 2)
        }
        self.remove(stream, found)
        self.updateConnectionWindow()
    }

    // MARK: The connection

    /// Appends a PING with a number below 2^63, because the highest bit marks the machine's PINGs.
    package mutating func ping(_ opaque: UInt64) {
        precondition(opaque & Self.probe == 0, "the highest bit marks the machine's own PINGs")
        self.floods.expect(.ping, 1)
        FrameEncoder.ping(opaque, into: &self.output)
    }

    /// The payload of the PINGs with which the machine measures the round trip.
    static var probe: UInt64 { 1 << 63 }

    /// Appends GOAWAY; open streams go on, and no further stream is opened.
    package mutating func goAway(_ code: HTTP2ErrorCode = .noError) {
        guard self.state != .failed else { return }
        self.state = .goingAway
        FrameEncoder.goAway(lastStream: .connection, code, into: &self.output)
    }

    /// Appends PRIORITY_UPDATE (RFC 9218 §7.1) with the value of a `priority` field, such as `u=1, i`, for an open stream.
    package mutating func updatePriority(of stream: HTTP2StreamID, _ priority: String) {
        guard let found = self.streams[stream], !found.state.isClosed else { return }
        FrameEncoder.priorityUpdate(stream, priority, into: &self.output)
    }

    // MARK: Windows

    func increment(for found: inout HTTP2Stream) -> Int {
        // A response that has ended needs no larger window.
        found.state.mayReceive ? found.receiveWindow.takeIncrement() : 0
    }

    mutating func updateWindow(of stream: HTTP2StreamID, _ found: inout HTTP2Stream) {
        let increment = self.increment(for: &found)
        if increment > 0 { FrameEncoder.windowUpdate(stream, increment: increment, into: &self.output) }
    }

    mutating func updateConnectionWindow() {
        let increment = self.receiveWindow.takeIncrement()
        if increment > 0 { FrameEncoder.windowUpdate(.connection, increment: increment, into: &self.output) }
    }

    // MARK: Ends of streams

    /// Records that a stream has closed normally, and keeps it until all of its content was read.
    mutating func closed(_ stream: HTTP2StreamID, _ found: HTTP2Stream) {
        self.activeStreamCount -= 1
        self.streams[stream] = found.receiveWindow.unread > 0 ? found : nil
    }

    mutating func remove(_ stream: HTTP2StreamID, _ found: HTTP2Stream) {
        if !found.state.isClosed { self.activeStreamCount -= 1 }
        self.receiveWindow.read(found.receiveWindow.unread)
        self.streams[stream] = nil
    }
}
