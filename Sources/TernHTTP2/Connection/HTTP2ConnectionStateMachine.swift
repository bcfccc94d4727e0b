// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields

/// The client's side of one HTTP/2 connection (RFC 9113), without a socket; times are durations since the first output.
///
/// The driver, which owns the socket, passes received bytes to ``receive(_:at:effects:)``, acts on the effects, and sends
/// ``output``. It sends the content of DATA itself, after the header from ``encodeDataHeader(on:byteCount:endsStream:)``. A driver
/// that cannot send must stop reading, because the output grows if a server sends PINGs.
package struct HTTP2ConnectionStateMachine: Sendable {
    enum State: Hashable, Sendable {
        /// Neither side has sent GOAWAY. Exits: `goingAway`, `failed`.
        case open
        /// A side has sent GOAWAY, and the streams that are still open go on. Exit: `failed`.
        case goingAway
        /// The server broke a rule or a limit, or the connection ended. All streams are closed.
        case failed
    }

    struct FieldBlock: Sendable {
        var stream: HTTP2StreamID
        var endsStream: Bool
        var continuationCount = 0
        var bytes: [UInt8] = []
    }

    let limits: HTTP2Limits
    var state = State.open
    /// Whether the first SETTINGS frame of the server, its preface, has arrived.
    package internal(set) var hasPeerSettings = false
    package internal(set) var output: [UInt8] = []
    package internal(set) var peerSettings = HTTP2Settings()

    // MARK: Reading

    var decoder = FrameDecoder()
    var fieldReader: FieldBlockReader
    var fieldBlock: FieldBlock?
    var floods: FloodGuard

    // MARK: Streams

    var streams = StreamTable<HTTP2Stream>()
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
    var lastContentStream: HTTP2StreamID?
    let flow: FlowPolicy

    /// Creates the state of a new connection, whose output begins with the preface and SETTINGS.
    package init(limits: HTTP2Limits = HTTP2Limits(), flow: FlowPolicy = FlowPolicy()) {
        var limits = limits
        // A server must not be able to cause a trap, whatever the limits.
        limits.maximumFieldCount = min(limits.maximumFieldCount, FieldSection.largestCount)
        self.limits = limits
        self.flow = flow
        self.fieldEncoder = HPACKEncoder(maximumTableByteCount: limits.encoderTableByteCount)
        self.fieldReader = FieldBlockReader(
            decoder: HPACKDecoder(maximumTableByteCount: limits.decoderTableByteCount),
            lines: FieldLines(
                maximumByteCount: limits.maximumFieldListByteCount,
                largestByteCount: limits.maximumDecodedFieldListByteCount
            )
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
            maximumByteCount: flow.maximumWindowByteCount,
            assumedBytesPerSecond: flow.assumedBytesPerSecond
        )
        self.encodePreface()
    }

    /// Appends "a sequence of 24 octets", which "MUST be followed by a SETTINGS frame" (RFC 9113 §3.4).
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

    package mutating func takeOutput() -> [UInt8] {
        defer { self.output = [] }
        return self.output
    }

    /// Removes the output after the driver has sent it, and keeps the memory for further output.
    package mutating func discardOutput() { self.output.removeAll(keepingCapacity: true) }

    package var availableStreamCount: Int {
        guard self.state == .open, self.nextStream != nil else { return 0 }
        return max(0, self.peerSettings.maximumConcurrentStreams - self.activeStreamCount)
    }

    package var isGoingAway: Bool { self.state != .open || self.nextStream == nil }

    package var hasFailed: Bool { self.state == .failed }

    package var bufferedByteCount: Int {
        self.decoder.bufferedByteCount + (self.fieldBlock?.bytes.count ?? 0) + self.fieldReader.roomByteCount
    }

    /// The number of bytes, at least 1, to wait for without delaying an effect other than ``HTTP2Effect/data(_:_:)``.
    package var missingByteCount: Int { self.decoder.missingByteCount }
}
