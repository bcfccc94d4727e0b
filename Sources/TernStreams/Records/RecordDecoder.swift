// SPDX-License-Identifier: Apache-2.0

/// Splits bytes, in chunks of any size, into JSON records, which it does not parse.
///
/// For each chunk, the driver calls ``next(in:from:)`` until the result is `nil`, and at the end of the input ``finish()``. White
/// space before a record does not count towards the limit, so that a server may send blank lines to keep a connection open.
package struct RecordDecoder: Sendable {
    package let format: RecordFormat
    /// The maximum length of a record in bytes, without the bytes that separate it from others.
    package let maximumRecordByteCount: Int

    private var mark = ByteOrderMark()
    private var buffer: RecordBuffer
    private var position: Int64 = 0
    private var nesting = JSONNesting()
    /// Whether a record separator of a text sequence has been read, and the record after it has not ended.
    private var isSeparated = false
    /// Whether the last byte before a possible record is a record separator.
    private var endsInSeparator = false
    private var violation: RecordViolation?

    package init(format: RecordFormat, maximumRecordByteCount: Int) {
        self.format = format
        self.maximumRecordByteCount = max(0, maximumRecordByteCount)
        self.buffer = RecordBuffer(format: format, maximumByteCount: self.maximumRecordByteCount)
    }

    var heldByteCount: Int { self.buffer.byteCount }

    /// Returns the next record that ends in a chunk; `nil` when the rest of the chunk is buffered.
    ///
    /// - Parameters:
    ///   - chunk: The chunk; the same bytes in every call, until the result is `nil`.
    ///   - offset: The position in the chunk, 0 for a new chunk; moves past the record.
    /// - Returns: The record.
    /// - Throws: ``RecordViolation/tooLong(limit:number:offset:)`` and ``RecordViolation/notASequence(offset:)``, also in every
    ///   later call; ``RecordViolation/truncated(number:offset:)``, after which the driver can call again: a parser "SHOULD
    ///   nonetheless continue parsing the remainder of the sequence" (RFC 7464 §2.1).
    /// - Complexity: O(*n*) in the length of the chunk, for all calls with that chunk together.
    package mutating func next(in chunk: RawSpan, from offset: inout Int) throws(RecordViolation) -> Record? {
        if let violation = self.violation { throw violation }
        precondition(offset >= 0 && offset <= chunk.byteCount, "the offset must be in the chunk")
        do throws(RecordViolation) {
            return try chunk.withUnsafeBytes { (bytes) throws(RecordViolation) -> Record? in
                try self.skipMark(in: bytes, from: &offset)
                guard try self.startRecord(in: bytes, from: &offset) else { return nil }
                return try self.endRecord(in: bytes, from: &offset)
            }
        } catch {
            throw self.fail(error)
        }
    }

    /// Returns the record that the end of the input ends, if any; throws if the end of the record may be missing (RFC 7464 §2.4).
    package mutating func finish() throws(RecordViolation) -> Record? {
        if let violation = self.violation { throw violation }
        do throws(RecordViolation) {
            if self.format == .lines { try self.buffer.append(self.mark.held) }
            if !self.buffer.isEmpty { return try self.takeRecord(isCut: true) }
            guard !self.endsInSeparator else {
                throw .truncated(number: self.buffer.number, offset: self.position)
            }
            return nil
        } catch {
            throw self.fail(error)
        }
    }
}

extension RecordDecoder {
    private mutating func skipMark(
        in bytes: UnsafeRawBufferPointer,
        from offset: inout Int
    ) throws(RecordViolation) {
        guard self.format == .lines, self.mark.isPossible else { return }
        var end = offset
        let held = self.mark.skip(in: bytes, from: &end)
        self.move(&offset, to: end)
        try self.buffer.append(held)
    }

    /// Moves past the bytes before a record, unless a record has started in an earlier chunk; returns whether one has started.
    private mutating func startRecord(
        in bytes: UnsafeRawBufferPointer,
        from offset: inout Int
    ) throws(RecordViolation) -> Bool {
        guard self.buffer.isEmpty else { return true }
        var start = offset
        while start < bytes.count {
            let byte = bytes[start]
            let isSeparator = self.format == .textSequence && byte == .recordSeparator
            guard isSeparator || byte.isJSONWhitespace else { break }
            self.isSeparated = self.isSeparated || isSeparator
            self.endsInSeparator = isSeparator
            start += 1
        }
        self.move(&offset, to: start)
        guard start < bytes.count else { return false }
        guard self.format == .lines || self.isSeparated else { throw .notASequence(offset: self.position) }
        self.buffer.start(at: self.position)
        self.nesting = JSONNesting()
        self.endsInSeparator = false
        return true
    }

    /// Returns the current record if it ends in a chunk; otherwise, buffers the rest of the chunk.
    private mutating func endRecord(
        in bytes: UnsafeRawBufferPointer,
        from offset: inout Int
    ) throws(RecordViolation) -> Record? {
        let end = self.recordEnd(in: bytes, from: offset)
        try self.buffer.append(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
        guard end < bytes.count else {
            self.move(&offset, to: end)
            return nil
        }
        let isCut = bytes[end] != .lineFeed
        self.move(&offset, to: isCut ? end : end + 1)
        return try self.takeRecord(isCut: isCut)
    }

    /// Returns the offset of the LF or record separator that ends the record; the end of the chunk without one.
    private mutating func recordEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard self.format == .textSequence else { return ByteSearch.firstOffset(of: .lineFeed, in: bytes, from: start) }
        for offset in start..<bytes.count {
            let byte = bytes[offset]
            if byte == .recordSeparator || byte == .lineFeed && self.nesting.isClosed { return offset }
            self.nesting.pass(byte)
        }
        return bytes.count
    }

    /// Ends the current record, which may have lost its end if `isCut` is `true`.
    private mutating func takeRecord(isCut: Bool) throws(RecordViolation) -> Record {
        let record = self.buffer.take()
        self.isSeparated = false
        guard isCut, self.format == .textSequence else { return record }
        // "JSON text sequence parsers MUST check that any JSON texts that are a top-level number, or that might be
        // 'true', 'false', or 'null', include JSON whitespace […] after that value; otherwise, the JSON-text may have
        // been truncated." (RFC 7464 §2.4)
        let isDelimited = record.bytes.last?.isJSONWhitespace == true || record.bytes.first?.opensJSONValue == true
        guard self.nesting.isClosed, isDelimited else { throw .truncated(number: record.number, offset: record.offset) }
        return record
    }

    /// Returns a violation, and remembers it if no record can be read after it.
    private mutating func fail(_ violation: RecordViolation) -> RecordViolation {
        if case .truncated = violation { return violation }
        self.violation = violation
        self.buffer.discard()
        return violation
    }

    private mutating func move(_ offset: inout Int, to end: Int) {
        self.position += Int64(end - offset)
        offset = end
    }
}
