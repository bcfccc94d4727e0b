// SPDX-License-Identifier: Apache-2.0

/// Reads server-sent events from bytes, in chunks of any size (WHATWG HTML §9.2.6).
///
/// For each chunk, the driver calls ``next(in:from:)`` until the result is `nil`. An event whose blank line has not
/// arrived when the input ends is discarded: "Once the end of the file is reached, any pending data must be discarded."
/// Only ``endEvent()`` returns it.
///
/// One byte order mark at the start is ignored. A line ends with LF, CRLF or CR. The text is UTF-8, in which U+FFFD
/// replaces invalid bytes. The decoder buffers only lines and data that cross a chunk boundary, and data of several
/// lines. It creates all other text directly from the chunk.
package struct EventDecoder: Sendable {
    /// The maximum length, in bytes, of a buffer that the decoder keeps for the next event.
    static let keptByteCount = 65536

    /// The maximum length of an event in bytes: of all its lines together, without their line breaks.
    package let maximumEventByteCount: Int

    /// The number of bytes that the decoder has consumed since the start of the input.
    package private(set) var byteCount: Int64 = 0

    private let deliversComments: Bool
    private var mark = ByteOrderMark()
    private var breaks = LineBreaks()
    private var buffer: EventBuffer
    /// The bytes of the current line that earlier chunks contained.
    private var partialLine: [UInt8] = []
    /// Whether the last chunk ended in a CR, so that an LF at the start of the next chunk belongs to the same line
    /// break.
    private var skipsLineFeed = false
    /// The number of bytes in the complete lines of the current event, without comments.
    private var eventByteCount = 0
    private var violation: EventViolation?

    /// Creates a decoder at the start of its input.
    ///
    /// - Parameters:
    ///   - maximumEventByteCount: The maximum length of an event in bytes: of all its lines together, without their
    ///     line breaks; not negative. A comment counts only while it is the current line, because servers send comments
    ///     to keep a connection open. The limit bounds the memory that a server can use.
    ///   - lastEventID: The last event ID of an earlier connection to the same stream. Events have this ID until the
    ///     server sends an `id` field. Defaults to an empty ID.
    ///   - deliversComments: Whether ``next(in:from:)`` returns comments, too. Defaults to `false`.
    package init(maximumEventByteCount: Int, lastEventID: String = "", deliversComments: Bool = false) {
        precondition(maximumEventByteCount >= 0, "the maximum length of an event must not be negative")
        self.maximumEventByteCount = maximumEventByteCount
        self.deliversComments = deliversComments
        self.buffer = EventBuffer(lastEventID: lastEventID)
    }

    /// The last event ID: the value to send as `Last-Event-ID` after a reconnection (WHATWG HTML §9.2.4).
    ///
    /// An `id` field takes effect with the blank line after it, even if the event has no data. Before the first `id`
    /// field, this is the ID that was passed to the initializer. An `id` field without a value empties the ID.
    package var lastEventID: String { self.buffer.lastEventID }

    /// The time to wait before a reconnection: the value of the last valid `retry` field; `nil` if the server has sent
    /// none.
    ///
    /// The field takes effect as soon as its line is complete. A value that is too large becomes the largest `Int64` in
    /// milliseconds.
    package var reconnectionTime: Duration? { self.buffer.reconnectionTime }

    /// Whether the input may end here without losing anything: no line and no event is incomplete.
    ///
    /// An event is incomplete if the decoder has read an `event`, `data` or `id` field without the blank line that ends
    /// the event. Complete comments, and `retry` fields, are not part of an event.
    package var isAtBoundary: Bool {
        self.violation == nil && self.partialLine.isEmpty && !self.buffer.isPending && self.mark.held.isEmpty
    }

    /// The number of bytes of an incomplete event that the decoder holds; for tests.
    var heldByteCount: Int { self.partialLine.count + self.buffer.heldByteCount }

    /// Returns the next event that ends in a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk; the same bytes in every call, until the result is `nil`.
    ///   - offset: The position in the chunk, 0 for a new chunk. Each call moves the position past the lines that it
    ///     has read, and the last call moves it to the end of the chunk.
    /// - Returns: The event, or a comment if the decoder delivers comments; `nil` if no further event ends in the
    ///   chunk. The decoder has then buffered the rest of the chunk, and the next call takes a new chunk.
    /// - Throws: ``EventViolation/tooLong(limit:)`` as soon as an event exceeds the limit, even before its end arrives.
    ///   Every later call throws the same error.
    /// - Complexity: O(*n*) in the length of the chunk, for all calls with that chunk together.
    package mutating func next(in chunk: RawSpan, from offset: inout Int) throws(EventViolation) -> ServerSentEvent? {
        if let violation = self.violation { throw violation }
        precondition(offset >= 0 && offset <= chunk.byteCount, "the offset must be in the chunk")
        let start = offset
        let item = try chunk.withUnsafeBytes { (bytes) throws(EventViolation) -> Item? in
            try self.nextItem(in: bytes, from: &offset)
        }
        // No `defer`: the result would be copied after it.
        self.byteCount += Int64(offset - start)
        switch item {
        case .event(let data): return self.buffer.takeEvent(data)
        case .comment(let text): return ServerSentEvent(event: "", id: self.lastEventID, comment: text)
        case nil: return nil
        }
    }

    /// Whether the input so far ends within a line.
    package var endsWithinLine: Bool { !self.partialLine.isEmpty || !self.mark.held.isEmpty }

    /// Ends the current event at the end of the input, as if its blank line had arrived.
    ///
    /// HTML discards such an event, because a part of it may be missing. A driver may use it only if it knows from the
    /// event itself that the event is complete.
    ///
    /// - Returns: The event; `nil` if no event is incomplete, or if it has no data.
    package mutating func endEvent() -> ServerSentEvent? {
        let blankLine: ContiguousArray<UInt8> = [.lineFeed, .lineFeed]
        var offset = 0
        do throws(EventViolation) {
            while let event = try self.next(in: blankLine.span.bytes, from: &offset) {
                if event.comment == nil { return event }
            }
            return nil
        } catch {
            return nil  // the event is too long, and `next(in:from:)` has thrown this error before
        }
    }
}

extension EventDecoder {
    /// The text of an event or a comment.
    private enum Item {
        case event(data: String)
        case comment(String)
    }

    private mutating func nextItem(
        in bytes: UnsafeRawBufferPointer,
        from offset: inout Int
    ) throws(EventViolation) -> Item? {
        if self.mark.isPossible { try self.hold(self.mark.skip(in: bytes, from: &offset)) }
        if self.skipsLineFeed, offset < bytes.count {
            self.skipsLineFeed = false
            if bytes[offset] == .lineFeed { offset += 1 }
        }
        var value: EventBuffer.ChunkValue?
        while let (lineEnd, nextLine) = self.breaks.next(in: bytes, from: offset) {
            try self.check(lineEnd - offset)
            let line = UnsafeRawBufferPointer(rebasing: bytes[offset..<lineEnd])
            let isASCII = self.breaks.isASCII(offset..<lineEnd, in: bytes)
            offset = nextLine
            self.skipsLineFeed = nextLine == bytes.count && bytes[nextLine - 1] == .carriageReturn
            guard let item = self.process(line, isASCII: isASCII, &value) else { continue }
            self.buffer.copy(&value)
            return item
        }
        try self.check(bytes.count - offset)
        self.buffer.copy(&value)
        self.partialLine.append(contentsOf: bytes[offset...])
        self.breaks.forgetChunk()
        offset = bytes.count
        return nil
    }

    /// Processes a line that ends in the present chunk.
    ///
    /// - Parameters:
    ///   - line: The line, or the part of it that is in the chunk.
    ///   - isASCII: Whether `line` is known to be ASCII.
    ///   - value: The data of the event so far, if it is part of the chunk.
    /// - Returns: The event that the line ends, or a comment to deliver.
    @inline(__always)
    private mutating func process(
        _ line: UnsafeRawBufferPointer,
        isASCII: Bool,
        _ value: inout EventBuffer.ChunkValue?
    ) -> Item? {
        guard self.partialLine.isEmpty else { return self.processPartialLine(endingWith: line) }
        return self.processWholeLine(line, isASCII: isASCII, &value)
    }

    private mutating func processPartialLine(endingWith rest: UnsafeRawBufferPointer) -> Item? {
        var line: [UInt8] = []
        swap(&line, &self.partialLine)
        line.append(contentsOf: rest)
        let item = line.withUnsafeBytes { line in
            var value: EventBuffer.ChunkValue?
            let item = self.processWholeLine(line, isASCII: false, &value)
            self.buffer.copy(&value)
            return item
        }
        line.removeAll(keepingCapacity: line.count <= Self.keptByteCount)
        swap(&line, &self.partialLine)
        return item
    }

    private mutating func processWholeLine(
        _ line: UnsafeRawBufferPointer,
        isASCII: Bool,
        _ value: inout EventBuffer.ChunkValue?
    ) -> Item? {
        guard !line.isEmpty else {
            self.eventByteCount = 0
            return self.buffer.end(&value).map { .event(data: $0) }
        }
        let field = EventField(line)
        guard case .comment(let range) = field else {
            self.eventByteCount += line.count
            self.buffer.process(field, of: line, isASCII: isASCII, &value)
            return nil
        }
        guard self.deliversComments else { return nil }
        return .comment(String(utf8: UnsafeRawBufferPointer(rebasing: line[range]), isASCII: isASCII))
    }

    private mutating func hold(_ bytes: ArraySlice<UInt8>) throws(EventViolation) {
        try self.check(bytes.count)
        self.partialLine.append(contentsOf: bytes)
    }

    private mutating func check(_ additionalByteCount: Int) throws(EventViolation) {
        let remaining = self.maximumEventByteCount - self.eventByteCount - self.partialLine.count
        guard additionalByteCount > remaining else { return }
        let violation = EventViolation.tooLong(limit: self.maximumEventByteCount)
        self.violation = violation
        self.partialLine = []
        self.buffer.discardData()
        throw violation
    }
}
