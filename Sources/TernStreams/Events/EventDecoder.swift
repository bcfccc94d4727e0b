// SPDX-License-Identifier: Apache-2.0

/// Reads server-sent events from bytes, in chunks of any size (WHATWG HTML §9.2.6).
///
/// For each chunk, the driver calls ``next(in:from:)`` until the result is `nil`. An event without its blank line is not returned:
/// "Once the end of the file is reached, any pending data must be discarded." A driver that wants it calls ``endEvent()``.
package struct EventDecoder: Sendable {
    /// The maximum length, in bytes, of a buffer that the decoder keeps for the next event.
    static let keptByteCount = 65536

    /// The maximum length, in bytes, of all lines of an event together, without their line breaks and without complete comments.
    package let maximumEventByteCount: Int

    package private(set) var byteCount: Int64 = 0

    private let deliversComments: Bool
    private var mark = ByteOrderMark()
    private var breaks = LineBreaks()
    private var buffer: EventBuffer
    private var partialLine: [UInt8] = []
    /// Whether the last chunk ended in a CR, so that an LF at the start of the next chunk belongs to the same line break.
    private var skipsLineFeed = false
    private var eventByteCount = 0
    private var violation: EventViolation?

    /// Creates a decoder; `lastEventID` is the ID of the events until the server sends an `id` field.
    package init(maximumEventByteCount: Int, lastEventID: String = "", deliversComments: Bool = false) {
        self.maximumEventByteCount = max(0, maximumEventByteCount)
        self.deliversComments = deliversComments
        self.buffer = EventBuffer(lastEventID: lastEventID)
    }

    /// The value to send as `Last-Event-ID` (WHATWG HTML §9.2.4); an `id` field takes effect with its blank line.
    package var lastEventID: String { self.buffer.lastEventID }

    /// The value of the last valid `retry` field, which takes effect with its line; `nil` if the server has sent none.
    package var reconnectionTime: Duration? { self.buffer.reconnectionTime }

    /// Whether no line, and no event with an `event`, `data` or `id` field, is incomplete.
    package var isAtBoundary: Bool {
        self.violation == nil && self.partialLine.isEmpty && !self.buffer.isPending && self.mark.held.isEmpty
    }

    var heldByteCount: Int { self.partialLine.count + self.buffer.heldByteCount }

    /// Returns the next event that ends in a chunk, or a comment to deliver; `nil` when the rest of the chunk is buffered.
    ///
    /// - Parameters:
    ///   - chunk: The chunk; the same bytes in every call, until the result is `nil`.
    ///   - offset: The position in the chunk, 0 for a new chunk; moves past the lines that were read.
    /// - Returns: The event or the comment.
    /// - Throws: ``EventViolation/tooLong(limit:)`` as soon as an event exceeds the limit, and in every later call.
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

    package var endsWithinLine: Bool { !self.partialLine.isEmpty || !self.mark.held.isEmpty }

    /// Ends and returns the current event at the end of the input; HTML discards it, because a part of it may be missing.
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
