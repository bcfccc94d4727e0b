// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields

/// The client's side of one HTTP/2 connection (RFC 9113), without the connection.
///
/// The driver presents what it reads to ``receive(_:at:effects:)`` and acts on the effects; it sends what gathers in
/// ``output``, in order, before anything that it adds itself: only the content of DATA, behind the header that
/// ``encodeDataHeader(on:byteCount:endsStream:)`` appends. All times are durations since one moment of the driver's
/// choice.
///
/// A server that does not read its PINGs' answers makes the output grow: a driver that cannot send stops reading.
package struct HTTP2ConnectionStateMachine: Sendable {
    enum State: Hashable, Sendable {
        /// Streams may be opened. Exits: `goingAway`, `failed`.
        case open
        /// The server, or the client, has sent GOAWAY: open streams go on, and none is opened. Exit: `failed`.
        case goingAway
        /// A rule was broken, or the connection ended; all streams are closed.
        case failed
    }

    /// A field block that continues in the next frame.
    struct FieldBlock: Sendable {
        var stream: HTTP2StreamID
        var endsStream: Bool
        var continuationCount = 0
        var bytes: [UInt8] = []
    }

    let limits: HTTP2Limits
    var state = State.open
    /// Whether the server's preface came, its first SETTINGS.
    var hasPeerSettings = false
    /// What has to be sent.
    package internal(set) var output: [UInt8] = []
    /// What the server has set.
    package internal(set) var peerSettings = HTTP2Settings()

    // MARK: Reading

    var decoder = FrameDecoder()
    var fieldDecoder: HPACKDecoder
    var lines: FieldLines
    var fieldBlock: FieldBlock?
    var floods: FloodGuard

    // MARK: Streams

    var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// How many of them are not closed.
    var openStreamCount = 0
    var nextStream: HTTP2StreamID? = .first
    var resets: ResetMemory
    /// The last stream that the server says it may have processed.
    var lastProcessedStream: HTTP2StreamID?

    // MARK: Writing

    var fieldEncoder: HPACKEncoder
    var sendWindow = SendWindow(FlowPolicy.protocolWindowByteCount)
    var unacknowledgedSettingsCount = 1

    // MARK: Receive windows

    var receiveWindow: ConnectionReceiveWindow
    var streamWindowByteCount: Int
    var estimator: WindowEstimator
    let flow: FlowPolicy

    /// Creates a connection, whose output begins with the preface and SETTINGS.
    package init(limits: HTTP2Limits = HTTP2Limits(), flow: FlowPolicy = FlowPolicy()) {
        self.limits = limits
        self.flow = flow
        self.fieldDecoder = HPACKDecoder(maximumTableByteCount: limits.decoderTableByteCount)
        self.fieldEncoder = HPACKEncoder(maximumTableByteCount: limits.encoderTableByteCount)
        self.lines = FieldLines(
            maximumByteCount: limits.maximumFieldListByteCount,
            largestByteCount: limits.largestFieldListByteCount
        )
        self.floods = FloodGuard(limits.floods)
        self.resets = ResetMemory(capacity: limits.rememberedResetCount)
        self.receiveWindow = ConnectionReceiveWindow(
            flow.initialConnectionWindowByteCount,
            maximumUnread: flow.maximumUnreadByteCount
        )
        self.streamWindowByteCount = flow.initialStreamWindowByteCount
        self.estimator = WindowEstimator(
            windowByteCount: flow.initialStreamWindowByteCount,
            maximumByteCount: flow.maximumWindowByteCount
        )
        self.encodePreface()
    }

    /// "The client connection preface starts with a sequence of 24 octets […].
    ///
    /// This sequence MUST be followed by a SETTINGS frame" (§3.4).
    private mutating func encodePreface() {
        self.output += FrameEncoder.preface
        var settings: [(SettingIdentifier, UInt32)] = [
            (.enablePush, 0),
            (.initialWindowSize, UInt32(clamping: self.streamWindowByteCount)),
            (.maximumHeaderListSize, UInt32(clamping: self.limits.maximumFieldListByteCount)),
            (.noRFC7540Priorities, 1),
        ]
        if self.limits.decoderTableByteCount != 4096 {
            settings.insert((.headerTableSize, UInt32(clamping: self.limits.decoderTableByteCount)), at: 0)
        }
        FrameEncoder.settings(settings, into: &self.output)
        self.updateConnectionWindow()
    }

    // MARK: What a driver asks

    /// What has to be sent; the machine forgets it.
    package mutating func takeOutput() -> [UInt8] {
        defer { self.output = [] }
        return self.output
    }

    /// Forgets the output, which was sent, and keeps its memory.
    package mutating func discardOutput() { self.output.removeAll(keepingCapacity: true) }

    /// How many streams may be opened now.
    package var availableStreamCount: Int {
        guard self.state == .open, self.nextStream != nil else { return 0 }
        return max(0, self.peerSettings.maximumConcurrentStreams - self.openStreamCount)
    }

    /// How many streams are open.
    package var activeStreamCount: Int { self.openStreamCount }

    /// Whether the connection takes no further streams, ever.
    package var isGoingAway: Bool { self.state != .open || self.nextStream == nil }

    /// Whether the connection failed, or ended.
    package var hasFailed: Bool { self.state == .failed }

    /// How many bytes the machine keeps of what was received.
    package var bufferedByteCount: Int {
        self.decoder.bufferedByteCount + (self.fieldBlock?.bytes.count ?? 0) + self.lines.roomByteCount
            + self.fieldDecoder.table.roomByteCount
    }

    /// How many bytes more, behind those presented, can be awaited without delaying anything but content; at least 1.
    package var missingByteCount: Int { self.decoder.missingByteCount }
}
