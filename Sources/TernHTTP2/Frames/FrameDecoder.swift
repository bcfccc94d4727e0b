// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Finds the frames in the bytes that a connection receives (RFC 9113 §4).
///
/// Content of DATA is reported as it arrives, as ranges of the input; other frames as a whole, or only their headers if a client
/// does not need the payload. A payload in several inputs is gathered in a buffer of at most 16 KiB.
package struct FrameDecoder: Sendable {
    /// The length of the longest payload: the default of SETTINGS_MAX_FRAME_SIZE, which the client does not change.
    package static let maximumPayloadByteCount = 16_384

    package enum Event: Sendable {
        /// The header of a DATA frame, whose whole payload counts for flow control.
        case dataStart(FrameHeader)
        /// A part of a DATA frame's content, as a range of the input that is never empty.
        case data(HTTP2StreamID, Range<Int>)
        /// The end of a DATA frame, with the length of its content without padding.
        case dataEnd(FrameHeader, contentByteCount: Int)
        case frame(FrameHeader, Payload)
        /// The header of a frame whose payload a client does not need.
        case skipped(FrameHeader)
    }

    package enum Payload: Hashable, Sendable {
        case input(Range<Int>)
        case gathered
    }

    private enum State: Sendable {
        /// Before the end of a frame header. Exits: all other states except `padding`.
        case header
        /// Before the byte with the length of the padding in a DATA frame. Exit: `data`.
        case paddingLength(FrameHeader)
        /// Within the content of a DATA frame. Exit: `padding`.
        case data(FrameHeader, remaining: Int, padding: Int)
        /// Within the padding of a DATA frame. Exit: `header`.
        case padding(FrameHeader, remaining: Int, contentByteCount: Int)
        /// Within a payload that the decoder gathers. Exit: `header`.
        case payload(FrameHeader)
        /// Within a payload that the decoder drops. Exit: `header`.
        case skipped(remaining: Int)
    }

    private var state = State.header
    /// The gathered bytes of a header or of a payload.
    private var gathered: [UInt8] = []
    /// Whether `gathered` contains a payload that the decoder has already reported.
    private var isGatheredDone = false

    package init() {}

    package var bufferedByteCount: Int { self.gathered.count }

    /// The number of bytes that must arrive before an event other than content; at least 1 after ``next(_:_:)`` has returned `nil`.
    package var missingByteCount: Int {
        switch self.state {
        case .header: FrameHeader.byteCount - (self.isGatheredDone ? 0 : self.gathered.count)
        case .paddingLength: 1
        case .data(_, let remaining, let padding): remaining + padding
        case .padding(_, let remaining, _), .skipped(let remaining): remaining
        case .payload(let header): header.payloadByteCount - self.gathered.count
        }
    }

    /// Returns the gathered payload of the frame that was reported last, without a copy.
    mutating func takeGathered() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &self.gathered)
        return taken
    }

    mutating func giveBack(_ memory: [UInt8]) { self.gathered = memory }

    package func payload(_ payload: Payload, of input: [UInt8]) -> [UInt8] {
        switch payload {
        case .input(let range): Array(input[range])
        case .gathered: self.gathered
        }
    }

    /// Returns the next event at or after `offset`, and moves `offset` past it; `nil` at the end of the input.
    package mutating func next(_ input: RawSpan, _ offset: inout Int) throws(HTTP2Violation) -> Event? {
        try input.withUnsafeBytes { (bytes) throws(HTTP2Violation) -> Event? in
            try self.next(ByteView(bytes), &offset)
        }
    }

    @inline(__always)
    mutating func next(_ input: ByteView, _ offset: inout Int) throws(HTTP2Violation) -> Event? {
        while true {
            switch self.state {
            case .header:
                guard let header = self.header(input, &offset) else { return nil }
                try header.check()
                if let event = self.begin(header, input, &offset) { return event }
            case .paddingLength(let header):
                guard offset < input.count else { return nil }
                let padding = Int(input[offset])
                offset += 1
                let remaining = header.payloadByteCount - 1 - padding
                // "If the length of the padding is the length of the frame payload or greater, the recipient MUST treat
                // this as a connection error" (§6.1).
                guard remaining >= 0 else { throw .excessivePadding }
                self.state = .data(header, remaining: remaining, padding: padding)
            case .data(let header, let remaining, let padding):
                if remaining == 0 {
                    let overhead = header.flags.contains(.padded) ? padding + 1 : 0
                    let contentByteCount = header.payloadByteCount - overhead
                    self.state = .padding(header, remaining: padding, contentByteCount: contentByteCount)
                    continue
                }
                let count = min(remaining, input.count - offset)
                guard count > 0 else { return nil }
                defer { offset += count }
                self.state = .data(header, remaining: remaining - count, padding: padding)
                return .data(header.stream, offset..<offset + count)
            case .padding(let header, let remaining, let contentByteCount):
                let count = min(remaining, input.count - offset)
                offset += count
                guard count == remaining else {
                    self.state = .padding(header, remaining: remaining - count, contentByteCount: contentByteCount)
                    return nil
                }
                self.state = .header
                return .dataEnd(header, contentByteCount: contentByteCount)
            case .payload(let header):
                let count = min(header.payloadByteCount - self.gathered.count, input.count - offset)
                self.gathered.append(contentsOf: input.part(offset..<offset + count))
                offset += count
                guard self.gathered.count == header.payloadByteCount else { return nil }
                (self.state, self.isGatheredDone) = (.header, true)
                return .frame(header, .gathered)
            case .skipped(let remaining):
                let count = min(remaining, input.count - offset)
                offset += count
                self.state = count == remaining ? .header : .skipped(remaining: remaining - count)
                if count < remaining { return nil }
            }
        }
    }

    /// Returns the frame header, whose first bytes may have come with an earlier input; `nil` if it is not complete.
    @inline(__always)
    private mutating func header(_ input: ByteView, _ offset: inout Int) -> FrameHeader? {
        // A payload that was already reported belongs to the previous frame.
        if self.isGatheredDone { self.forget() }
        if self.gathered.isEmpty, input.count - offset >= FrameHeader.byteCount {
            defer { offset += FrameHeader.byteCount }
            return FrameHeader(input, at: offset)
        }
        let count = min(FrameHeader.byteCount - self.gathered.count, input.count - offset)
        guard count > 0 else { return nil }
        self.gathered.append(contentsOf: input.part(offset..<offset + count))
        offset += count
        guard self.gathered.count == FrameHeader.byteCount else { return nil }
        let header = self.gathered.withUnsafeBytes { FrameHeader(ByteView($0), at: 0) }
        self.forget()
        return header
    }

    private mutating func forget() {
        self.gathered.removeAll(keepingCapacity: true)
        self.isGatheredDone = false
    }

    @inline(__always)
    private mutating func begin(_ header: FrameHeader, _ input: ByteView, _ offset: inout Int) -> Event? {
        switch header.type {
        case .data:
            let isPadded = header.flags.contains(.padded)
            self.state =
                isPadded ? .paddingLength(header) : .data(header, remaining: header.payloadByteCount, padding: 0)
            return .dataStart(header)
        case .headers, .continuation, .reset, .settings, .ping, .goAway, .windowUpdate:
            guard input.count - offset >= header.payloadByteCount else {
                self.state = .payload(header)
                return nil
            }
            defer { offset += header.payloadByteCount }
            return .frame(header, .input(offset..<offset + header.payloadByteCount))
        default:
            self.state = .skipped(remaining: header.payloadByteCount)
            return .skipped(header)
        }
    }
}
