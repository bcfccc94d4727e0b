// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

extension HTTP2ConnectionStateMachine {
    // MARK: Requests

    /// Opens a stream, and appends its HEADERS to the output.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - endsStream: whether there is neither body nor trailers.
    /// - Returns: the stream; its identifier is higher than all before.
    /// - Throws: why it could not be opened; nothing was written then.
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
            receiveWindow: self.streamWindowByteCount
        )
        added.state.opened(endsStream: endsStream)
        self.streams[stream] = added
        self.openStreamCount += 1
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

    /// How many bytes of content may be sent now, in one frame: what the windows of stream and connection and the
    /// longest frame leave.
    ///
    /// 0 if the stream takes none any more.
    package func sendableByteCount(on stream: HTTP2StreamID) -> Int {
        guard let found = self.streams[stream], found.state.maySend else { return 0 }
        let window = min(found.sendWindow.byteCount, self.sendWindow.byteCount)
        return max(0, min(window, self.peerSettings.maximumFrameByteCount))
    }

    /// Appends the header of a DATA frame to the output; the driver writes `byteCount` bytes of content behind it.
    ///
    /// - Parameters:
    ///   - stream: the stream of a request that has not ended.
    ///   - byteCount: at most ``sendableByteCount(on:)``; 0 is always possible, to end the stream.
    ///   - endsStream: whether the request ends with this frame.
    /// - Returns: `false`, having written nothing, if the stream takes no content any more: it ended or was reset.
    package mutating func encodeDataHeader(on stream: HTTP2StreamID, byteCount: Int, endsStream: Bool) -> Bool {
        guard var found = self.streams[stream], found.state.maySend else { return false }
        precondition(byteCount == 0 || byteCount <= self.sendableByteCount(on: stream), "the window is closed")
        FrameEncoder.dataHeader(stream, byteCount: byteCount, endsStream: endsStream, into: &self.output)
        self.sendWindow.spend(byteCount)
        found.sendWindow.spend(byteCount)
        self.floods.expect(.windowUpdate, 2)
        if endsStream { self.endRequest(stream, &found) } else { self.streams[stream] = found }
        return true
    }

    /// Appends the trailers of a request, which end it.
    ///
    /// Fields that may not be sent over HTTP/2 are left out. Without any field, the stream is ended by empty DATA.
    ///
    /// - Returns: `false`, having written nothing, if the stream takes no trailers any more: it ended or was reset.
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

    /// The driver is done with `byteCount` bytes of ``HTTP2Effect/data(_:_:)``; the server may send as much again.
    ///
    /// Appends WINDOW_UPDATE to the output when that is worth a frame. Without effect for a stream that failed or was
    /// reset.
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

    /// The driver is done with a stream: it is reset if it is not over, and what was not read counts as read.
    ///
    /// - Parameters:
    ///   - stream: any stream; without effect if nothing is known of it.
    ///   - code: why; defaults to CANCEL.
    package mutating func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode = .cancel) {
        guard let found = self.streams[stream], self.state != .failed else { return }
        if !found.state.isClosed {
            FrameEncoder.reset(stream, code, into: &self.output)
            self.resets.insert(stream)
            // The response may be under way, and maybe its trailers.
            self.floods.expect(.ignored, 2)
        }
        self.remove(stream, found)
        self.updateConnectionWindow()
    }

    // MARK: The connection

    /// Appends a PING, whose answer is reported by ``HTTP2Effect/pingAnswered(_:)``.
    ///
    /// - Parameter opaque: any number without the highest bit, which marks the machine's own.
    package mutating func ping(_ opaque: UInt64) {
        precondition(opaque & Self.probe == 0, "the highest bit marks the machine's own PINGs")
        self.floods.expect(.ping, 1)
        FrameEncoder.ping(opaque, into: &self.output)
    }

    /// The number of the PINGs that measure the line.
    static var probe: UInt64 { 1 << 63 }

    /// Appends GOAWAY: no stream is opened any more, and those that are open go on.
    package mutating func goAway(_ code: HTTP2ErrorCode = .noError) {
        guard self.state != .failed else { return }
        self.state = .goingAway
        FrameEncoder.goAway(lastStream: .connection, code, into: &self.output)
    }

    /// Appends PRIORITY_UPDATE (RFC 9218 §7.1) for a stream.
    ///
    /// - Parameters:
    ///   - stream: an open stream; without effect for others.
    ///   - priority: the value of a `priority` field, such as `u=1, i`; visible ASCII and spaces.
    package mutating func updatePriority(of stream: HTTP2StreamID, _ priority: String) {
        guard let found = self.streams[stream], !found.state.isClosed else { return }
        FrameEncoder.priorityUpdate(stream, priority, into: &self.output)
    }

    // MARK: Windows

    func increment(for found: inout HTTP2Stream) -> Int {
        // What is not to come needs no promise.
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

    /// A stream is closed as it should be; what was not read stays counted.
    mutating func closed(_ stream: HTTP2StreamID, _ found: HTTP2Stream) {
        self.openStreamCount -= 1
        self.streams[stream] = found.receiveWindow.unread > 0 ? found : nil
    }

    /// Nothing of a stream is of interest any more.
    mutating func remove(_ stream: HTTP2StreamID, _ found: HTTP2Stream) {
        if !found.state.isClosed { self.openStreamCount -= 1 }
        self.receiveWindow.read(found.receiveWindow.unread)
        self.streams[stream] = nil
    }
}
