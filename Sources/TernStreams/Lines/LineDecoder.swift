// SPDX-License-Identifier: Apache-2.0

/// Splits UTF-8 text, in chunks of any size, into lines that end with LF, CRLF or CR.
///
/// U+2028, a vertical tab and a form feed do not end a line, because protocols such as server-sent events do not use them. For each
/// chunk, the driver calls ``next(in:from:)`` until the result is `nil`, and at the end of the input ``finish()``.
package struct LineDecoder: Sendable {
    /// The maximum length of a line in bytes, without its line break; the default is 1 MiB, because lines of JSON may be long.
    package let maximumLineByteCount: Int

    private var partialLine: [UInt8] = []
    private var isPartialLineASCII = true
    /// Whether the last chunk ended in a CR, so that an LF at the start of the next chunk belongs to the same line break.
    private var skipsLineFeed = false
    private var breaks = LineBreaks()
    private var violation: LineViolation?

    package init(maximumLineByteCount: Int = 1 << 20) {
        self.maximumLineByteCount = max(0, maximumLineByteCount)
    }

    /// Returns the next line that ends in a chunk, without its line break; `nil` when the rest of the chunk is buffered.
    ///
    /// - Parameters:
    ///   - chunk: The chunk; the same bytes in every call, until the result is `nil`.
    ///   - offset: The position in the chunk, 0 for a new chunk; moves past the line.
    /// - Returns: The line.
    /// - Throws: ``LineViolation/tooLong(limit:)`` as soon as a line exceeds the limit, and in every later call.
    /// - Complexity: O(*n*) in the length of the chunk, for all calls with that chunk together.
    package mutating func next(in chunk: RawSpan, from offset: inout Int) throws(LineViolation) -> String? {
        if let violation = self.violation { throw violation }
        precondition(offset >= 0 && offset <= chunk.byteCount, "the offset must be in the chunk")
        return try chunk.withUnsafeBytes { (bytes) throws(LineViolation) -> String? in
            if self.skipsLineFeed, offset < bytes.count {
                self.skipsLineFeed = false
                if bytes[offset] == .lineFeed { offset += 1 }
            }
            guard let (lineEnd, nextLine) = self.breaks.next(in: bytes, from: offset) else {
                try self.hold(bytes, from: &offset)
                return nil
            }
            try self.check(lineEnd - offset)
            let line = self.line(in: bytes, offset..<lineEnd)
            self.skipsLineFeed = nextLine == bytes.count && bytes[nextLine - 1] == .carriageReturn
            offset = nextLine
            return line
        }
    }

    /// Returns the text after the last line break; `nil` if no text follows, or after an error.
    package mutating func finish() -> String? {
        self.skipsLineFeed = false
        self.breaks.forgetChunk()
        guard !self.partialLine.isEmpty, self.violation == nil else { return nil }
        defer {
            self.partialLine.removeAll()
            self.isPartialLineASCII = true
        }
        return String(decoding: self.partialLine, as: UTF8.self)
    }

    var searchedByteCount: Int { self.breaks.searchedByteCount }

    var heldByteCount: Int { self.partialLine.count }

    private mutating func line(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
        let slice = UnsafeRawBufferPointer(rebasing: bytes[range])
        let isASCII = self.breaks.isASCII(range, in: bytes)
        guard !self.partialLine.isEmpty else { return String(utf8: slice, isASCII: isASCII) }
        self.partialLine.append(contentsOf: slice)
        defer {
            self.partialLine.removeAll(keepingCapacity: true)
            self.isPartialLineASCII = true
        }
        return self.partialLine.withUnsafeBytes { String(utf8: $0, isASCII: isASCII && self.isPartialLineASCII) }
    }

    private mutating func hold(
        _ bytes: UnsafeRawBufferPointer,
        from offset: inout Int
    ) throws(LineViolation) {
        try self.check(bytes.count - offset)
        self.partialLine.append(contentsOf: bytes[offset...])
        self.isPartialLineASCII = self.isPartialLineASCII && self.breaks.isASCII(offset..<bytes.count, in: bytes)
        self.breaks.forgetChunk()
        offset = bytes.count
    }

    private mutating func check(_ additionalByteCount: Int) throws(LineViolation) {
        guard additionalByteCount > self.maximumLineByteCount - self.partialLine.count else { return }
        let violation = LineViolation.tooLong(limit: self.maximumLineByteCount)
        self.violation = violation
        self.partialLine = []
        throw violation
    }
}
