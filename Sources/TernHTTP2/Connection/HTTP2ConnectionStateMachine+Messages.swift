// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields

extension HTTP2ConnectionStateMachine {
    // MARK: Field blocks

    mutating func receivedHeaders(
        _ header: FrameHeader,
        _ payload: ByteView,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        let range = try header.fieldBlock(in: payload)
        let endsStream = header.flags.contains(.endStream)
        if header.flags.contains(.endHeaders) {
            let block = ByteView(payload.part(range))
            return try self.receivedBlock(block, header.stream, endsStream: endsStream, &effects)
        }
        // Before gathering the block, refuse a stream that the client has not opened.
        try self.checkExists(header.stream)
        var block = FieldBlock(stream: header.stream, endsStream: endsStream)
        block.bytes.append(contentsOf: payload.part(range))
        self.fieldBlock = block
    }

    mutating func receivedContinuation(
        _ header: FrameHeader,
        _ payload: ByteView,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        guard var block = self.fieldBlock else { throw .unexpectedContinuation }
        self.fieldBlock = nil
        block.continuationCount += 1
        guard block.continuationCount <= self.limits.maximumContinuationCount else {
            throw .tooManyContinuations(limit: self.limits.maximumContinuationCount)
        }
        guard block.bytes.count + payload.count <= self.limits.maximumDecodedFieldListByteCount else {
            throw .fieldListOverDecodingLimit(limit: self.limits.maximumDecodedFieldListByteCount)
        }
        block.bytes.append(contentsOf: payload.part(0..<payload.count))
        guard header.flags.contains(.endHeaders) else { return self.fieldBlock = block }
        let (stream, endsStream) = (block.stream, block.endsStream)
        try block.bytes.withUnsafeBufferPointer { (bytes) throws(HTTP2Violation) in
            let view = ByteView(UnsafeRawBufferPointer(bytes))
            try self.receivedBlock(view, stream, endsStream: endsStream, &effects)
        }
    }

    private mutating func receivedBlock(
        _ block: ByteView,
        _ stream: HTTP2StreamID,
        endsStream: Bool,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        // "An endpoint receiving HEADERS […] frames needs to reassemble field blocks and perform decompression even if
        // the frames are to be discarded" (RFC 9113 §4.3), because later blocks may refer to their fields.
        try self.fieldReader.read(block)
        do throws(HTTP2Violation) {
            var state = self.streamState(stream)
            guard try state.received(.headers, endsStream: endsStream) == .accepted, var found = self.streams[stream]
            else { return try self.floods.spend(.ignored) }
            try self.receivedFields(stream, &found, endsStream: endsStream, &effects)
            found.state = state
            self.streams[stream] = found
            if endsStream { self.endResponse(stream, found, &effects) }
        } catch {
            try self.settle(error, stream, &effects)
        }
    }

    private mutating func receivedFields(
        _ stream: HTTP2StreamID,
        _ found: inout HTTP2Stream,
        endsStream: Bool,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        guard self.fieldReader.lines.count <= self.limits.maximumFieldCount else {
            throw .tooManyFields(limit: self.limits.maximumFieldCount)
        }
        switch found.phase {
        case .head:
            if let fault = self.fieldReader.lines.fault { throw fault }
            guard let code = self.fieldReader.lines.statusCode else { throw .missingStatus }
            if code < 200 {
                try found.receivedInterim(code, endsStream: endsStream)
                return effects.append(.interim(stream, self.fieldReader.makeHead(statusCode: code)))
            }
            let head = self.fieldReader.makeHead(statusCode: code)
            found.receivedHead(head)
            if endsStream { try found.checkEnd() }
            self.floods.progressed()
            effects.append(.head(stream, head))
        case .content:
            // "Pseudo-header fields MUST NOT appear in a trailer section" (RFC 9113 §8.3).
            guard !self.fieldReader.lines.hasPseudoFields else { throw .pseudoFieldInTrailers }
            if let fault = self.fieldReader.lines.fault { throw fault }
            // "a HEADERS frame without the END_STREAM flag set after receiving the HEADERS frame that opens a request
            // or after receiving a final (non-informational) status code" is malformed (§8.1).
            guard endsStream else { throw .trailersWithoutEnd }
            try found.checkEnd()
            if let trailers = self.fieldReader.lines.makeTrailers() { effects.append(.trailers(stream, trailers)) }
        case .tunnel:
            // "Frame types other than DATA or stream management frames […] MUST NOT be sent on a connected stream and
            // MUST be treated as a stream error […] if received" (§8.5).
            throw .fieldsInTunnel
        }
    }

    // MARK: Data

    mutating func receivedDataHeader(
        _ header: FrameHeader,
        at time: Duration,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        let byteCount = header.payloadByteCount
        self.lastContentStream = header.stream
        guard self.receiveWindow.received(byteCount) else { throw .connectionWindowExceeded }
        if byteCount > 0, self.estimator.received(byteCount, at: time) {
            self.floods.expect(.ping, 1)
            FrameEncoder.ping(Self.probe, into: &self.output)
        }
        do throws(HTTP2Violation) {
            var state = self.streamState(header.stream)
            guard try state.received(.data) == .accepted, var found = self.streams[header.stream] else { return }
            guard found.receiveWindow.received(byteCount) else { throw .windowExceeded }
            guard found.phase != .head else { throw .dataBeforeHead }
            self.receiveWindow.kept(byteCount)
            self.streams[header.stream] = found
        } catch {
            try self.settle(error, header.stream, &effects)
        }
    }

    mutating func receivedContent(
        _ stream: HTTP2StreamID,
        _ range: Range<Int>,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        // The response may have ended before this frame, or the client may have reset the stream since the frame began.
        guard var found = self.streams[stream], found.state.mayReceive else { return }
        do throws(HTTP2Violation) {
            try found.receivedContent(range.count)
            self.streams[stream] = found
            effects.append(.data(stream, range))
        } catch {
            try self.settle(error, stream, &effects)
        }
    }

    mutating func receivedDataEnd(
        _ header: FrameHeader,
        _ contentByteCount: Int,
        _ effects: inout [HTTP2Effect]
    ) throws(HTTP2Violation) {
        let endsStream = header.flags.contains(.endStream)
        if contentByteCount == 0, !endsStream { try self.floods.spend(.emptyData) }
        let stream = header.stream
        guard var found = self.streams[stream], found.state.mayReceive else { return }
        if contentByteCount > 0 { self.floods.progressed() }
        let padding = header.payloadByteCount - contentByteCount
        if padding > 0 {
            self.receiveWindow.read(padding)
            found.receiveWindow.read(padding)
            if !endsStream { self.updateWindow(of: stream, &found) }
            self.streams[stream] = found
        }
        guard endsStream else { return }
        do throws(HTTP2Violation) {
            try found.checkEnd()
            _ = try found.state.received(.data, endsStream: true)
            self.streams[stream] = found
            self.endResponse(stream, found, &effects)
        } catch {
            try self.settle(error, stream, &effects)
        }
    }

    // MARK: Streams

    private mutating func endResponse(
        _ stream: HTTP2StreamID,
        _ found: HTTP2Stream,
        _ effects: inout [HTTP2Effect]
    ) {
        effects.append(.end(stream))
        if found.state.isClosed { self.closed(stream, found) }
    }

    /// Returns the state of any stream: `idle` if it has not been opened, and `closed` if it is no longer stored.
    func streamState(_ stream: HTTP2StreamID) -> StreamStateMachine {
        if let found = self.streams[stream] { return found.state }
        let isOpened = stream.isClientInitiated && (self.nextStream.map { stream < $0 } ?? true)
        guard isOpened else { return StreamStateMachine(.idle) }
        return StreamStateMachine(.closed(self.resets.contains(stream) ? .resetByClient : .ended))
    }

    func checkExists(_ stream: HTTP2StreamID) throws(HTTP2Violation) {
        if self.streamState(stream).state == .idle { throw .idleStream }
    }
}
