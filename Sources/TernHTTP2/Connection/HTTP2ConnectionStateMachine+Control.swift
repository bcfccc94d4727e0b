// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
@_spi(CrossModuleInlining) import TernFields

/// Handles the frames that are not part of messages.
extension HTTP2ConnectionStateMachine {
    // MARK: Streams

    mutating func receivedReset(
        _ header: FrameHeader,
        _ payload: ByteView,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        var state = self.streamState(header.stream)
        guard try state.received(.reset) == .accepted, let found = self.streams[header.stream] else {
            return try self.floods.spend(.ignored)
        }
        try self.floods.spend(.reset)
        let code = HTTP2ErrorCode(rawValue: payload.uint32(at: 0))
        // "The REFUSED_STREAM error code can be included in a RST_STREAM frame to indicate that the stream is being
        // closed prior to any processing having occurred" (RFC 9113 §8.7). A server that requires HTTP/1.1 has not
        // processed the request either.
        let isRefused = code == .refusedStream || code == .http11Required
        self.report(header.stream, found, .reset(code), isRefused ? .refused : .unknown, &effects)
        self.remove(header.stream, found)
        self.updateConnectionWindow()
    }

    mutating func receivedSkipped(
        _ header: FrameHeader,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        if header.type == .pushPromise { throw .push }
        // "If a client receives a PRIORITY_UPDATE frame, it MUST respond with a connection error of type
        // PROTOCOL_ERROR" (RFC 9218 §7.1).
        if header.type == .priorityUpdate { throw .priorityUpdate }
        try self.floods.spend(.ignored)
        guard header.type == .priority, header.payloadByteCount != 5 else { return }
        // "A PRIORITY frame with a length other than 5 octets MUST be treated as a stream error" (§6.3).
        try self.settle(.wrongPriorityLength, header.stream, &effects)
    }

    mutating func receivedWindowUpdate(
        _ header: FrameHeader,
        _ payload: ByteView,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        try self.floods.spend(.windowUpdate)
        let increment = Int(payload.uint32(at: 0) & 0x7FFF_FFFF)
        if header.stream == .connection {
            // "errors on the connection flow-control window MUST be treated as a connection error" (§6.9).
            guard increment > 0 else { throw .zeroConnectionIncrement }
            guard let isOpened = self.sendWindow.add(increment) else { throw .connectionWindowOverflow }
            if isOpened { effects.append(.connectionWindowOpened) }
            return
        }
        do throws(HTTP2Violation) {
            var state = self.streamState(header.stream)
            guard try state.received(.windowUpdate) == .accepted, var found = self.streams[header.stream] else {
                return
            }
            guard increment > 0 else { throw .zeroIncrement }
            guard let isOpened = found.sendWindow.add(increment) else { throw .windowOverflow }
            self.streams[header.stream] = found
            if isOpened, found.state.maySend { effects.append(.windowOpened(header.stream)) }
        } catch {
            try self.settle(error, header.stream, &effects)
        }
    }

    // MARK: Settings

    mutating func receivedSettings(
        _ header: FrameHeader,
        _ payload: ByteView,
        at time: Duration,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        if header.flags.contains(.acknowledgement) {
            guard self.unacknowledgedSettingsCount > 0 else { throw .unexpectedAcknowledgement }
            self.unacknowledgedSettingsCount -= 1
            // The first settings were sent at the time zero, before there was any data. The server acknowledges them at
            // once: "the recipient MUST immediately emit a SETTINGS frame with the ACK flag set" (§6.5.3). So `time` is
            // a round trip. For later settings, `time` is longer than a round trip, and has no effect.
            if let window = self.estimator.measured(time) { self.growWindows(to: window) }
            return
        }
        try self.floods.spend(.settings)
        let before = self.peerSettings.initialWindowByteCount
        var tableSizes: (smallest: Int, last: Int)?
        try self.peerSettings.apply(payload, isFirst: !self.hasPeerSettings) { size in
            tableSizes = (min(tableSizes?.smallest ?? size, size), size)
        }
        self.hasPeerSettings = true
        if let sizes = tableSizes {
            self.fieldEncoder.peerAllows(tableByteCount: sizes.smallest)
            self.fieldEncoder.peerAllows(tableByteCount: sizes.last)
        }
        try self.adjustWindows(by: self.peerSettings.initialWindowByteCount - before, &effects)
        FrameEncoder.settingsAcknowledgement(into: &self.output)
        effects.append(.settingsChanged)
    }

    /// Adjusts the send windows: "When the value of SETTINGS_INITIAL_WINDOW_SIZE changes, a receiver MUST adjust the size of all
    /// stream flow-control windows that it maintains by the difference between the new value and the old value" (RFC 9113 §6.9.2).
    private mutating func adjustWindows(by difference: Int, _ effects: inout [HTTP2Effect]) throws(HTTP2Violation) {
        guard difference != 0 else { return }
        for stream in self.streams.ids {
            guard var found = self.streams[stream] else { continue }
            guard let isOpened = found.sendWindow.add(difference) else { throw .connectionWindowOverflow }
            self.streams[stream] = found
            if isOpened, found.state.maySend { effects.append(.windowOpened(stream)) }
        }
    }

    // MARK: The connection

    mutating func receivedPing(
        _ header: FrameHeader,
        _ payload: ByteView,
        at time: Duration,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        let opaque = UInt64(payload.uint32(at: 0)) << 32 | UInt64(payload.uint32(at: 4))
        try self.floods.spend(.ping)
        if !header.flags.contains(.acknowledgement) {
            FrameEncoder.ping(opaque, isAnswer: true, into: &self.output)
        } else if opaque == Self.probe {
            let unread = self.lastContentStream.flatMap { self.streams[$0]?.receiveWindow.unread } ?? 0
            if let window = self.estimator.answered(at: time, unreadByteCount: unread) { self.growWindows(to: window) }
        } else {
            effects.append(.pingAnswered(opaque))
        }
    }

    /// Raises the windows before the server reads the SETTINGS, so that it never sends more than the client expects.
    private mutating func growWindows(to byteCount: Int) {
        let difference = byteCount - self.streamWindowByteCount
        guard difference > 0 else { return }
        self.streamWindowByteCount = byteCount
        FrameEncoder.settings([(.initialWindowSize, UInt32(clamping: byteCount))], into: &self.output)
        self.unacknowledgedSettingsCount += 1
        for stream in self.streams.ids { self.streams[stream]?.receiveWindow.raise(by: difference) }
        self.receiveWindow.grow(to: 2 * byteCount)
        self.updateConnectionWindow()
    }

    mutating func receivedGoAway(_ payload: ByteView, _ effects: inout [HTTP2Effect]) throws(HTTP2Violation) {
        try self.floods.spend(.ignored)
        let last = HTTP2StreamID(rawValue: payload.uint32(at: 0))
        let code = HTTP2ErrorCode(rawValue: payload.uint32(at: 4))
        // "Endpoints MUST NOT increase the value they send in the last stream identifier" (§6.8).
        if let before = self.lastProcessedStream, last > before { throw .increasedLastStream }
        self.lastProcessedStream = last
        self.state = .goingAway
        for stream in self.streams.ids where stream > last {
            guard let found = self.streams[stream], !found.state.isClosed else { continue }
            self.report(stream, found, .goingAway(code), .refused, &effects)
            self.resets.insert(stream, openCount: self.activeStreamCount)
            self.remove(stream, found)
        }
        let debugData = payload.copy(8..<min(payload.count, 8 + Self.maximumDebugByteCount))
        effects.append(.goingAway(lastStream: last, code, debugData: debugData))
    }

    /// The number of bytes of debug data that the client reports from a GOAWAY: enough for a line of a log.
    private static var maximumDebugByteCount: Int { 256 }
}
