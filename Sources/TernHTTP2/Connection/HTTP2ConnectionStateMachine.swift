// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields

/// The client's side of one HTTP/2 connection (RFC 9113), without a socket.
///
/// A driver passes the bytes that it reads to ``receive(_:at:effects:)`` and acts on the effects. It sends the bytes in
/// ``output``, in order. The driver adds only the content of DATA, after the header that
/// ``encodeDataHeader(on:byteCount:endsStream:)`` appends. All times are durations since one moment that the driver
/// chooses.
///
/// The output grows if a server does not read the answers to its PINGs. So a driver that cannot send must stop reading.
package struct HTTP2ConnectionStateMachine: Sendable {
    enum State: Hashable, Sendable {
        /// Streams may be opened. Exits: `goingAway`, `failed`.
        case open
        /// The server or the client has sent GOAWAY: open streams go on, but no stream is opened. Exit: `failed`.
        case goingAway
        /// The server broke a rule, or the connection ended. All streams are closed.
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
    /// Whether the server's preface, its first SETTINGS frame, has arrived.
    var hasPeerSettings = false
    /// The bytes that the driver has to send.
    package internal(set) var output: [UInt8] = []
    /// The server's settings.
    package internal(set) var peerSettings = HTTP2Settings()

    // MARK: Reading

    var decoder = FrameDecoder()
    var fieldDecoder: HPACKDecoder
    var lines: FieldLines
    var fieldBlock: FieldBlock?
    var floods: FloodGuard

    // MARK: Streams

    var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// The number of open streams.
    package internal(set) var activeStreamCount = 0
    var nextStream: HTTP2StreamID? = .first
    var resets: ResetMemory
    /// The last stream that the server may have processed, as its GOAWAY says.
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
            largestByteCount: limits.maximumDecodedFieldListByteCount
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

    /// Appends the preface and SETTINGS.
    ///
    /// "The client connection preface starts with a sequence of 24 octets […]. This sequence MUST be followed by a
    /// SETTINGS frame" (§3.4).
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

    // MARK: State for the driver

    /// Returns the bytes that the driver has to send, and removes them from the output.
    package mutating func takeOutput() -> [UInt8] {
        defer { self.output = [] }
        return self.output
    }

    /// Removes the output after the driver has sent it, and keeps its memory.
    package mutating func discardOutput() { self.output.removeAll(keepingCapacity: true) }

    /// The number of streams that may be opened now.
    package var availableStreamCount: Int {
        guard self.state == .open, self.nextStream != nil else { return 0 }
        return max(0, self.peerSettings.maximumConcurrentStreams - self.activeStreamCount)
    }

    /// A Boolean value that indicates whether the connection never accepts a further stream.
    package var isGoingAway: Bool { self.state != .open || self.nextStream == nil }

    /// A Boolean value that indicates whether the connection has failed or ended.
    package var hasFailed: Bool { self.state == .failed }

    /// The number of received bytes that the machine keeps.
    package var bufferedByteCount: Int {
        self.decoder.bufferedByteCount + (self.fieldBlock?.bytes.count ?? 0) + self.lines.roomByteCount
            + self.fieldDecoder.table.roomByteCount
    }

    /// The number of further bytes that the driver can wait for without delaying anything other than content.
    ///
    /// At least 1.
    package var missingByteCount: Int { self.decoder.missingByteCount }
}
