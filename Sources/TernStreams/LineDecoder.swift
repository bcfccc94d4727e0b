// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// Turns bytes, in chunks of any size, into lines.
///
/// A line ends with LF, CRLF or CR, and with nothing else: not with U+2028, a vertical tab or a form feed, as some text
/// APIs have it, for protocols do not (HTML event streams among them). Empty lines are lines. What
/// follows the last break is a line only if it is not empty, and it is given by ``finish()``.
///
/// The driver calls ``next(in:from:)`` with a chunk until there is no further line in it, then with the next chunk, and
/// ``finish()`` at the end of the input.
///
/// A line is text in UTF-8; what is not, is repaired with U+FFFD. A byte order mark is left where it is. A line that lies
/// within one chunk is made from it directly; only what is cut by the border of a chunk is buffered.
package struct LineDecoder: Sendable {
    /// The longest line accepted, in bytes, not counting what ends it.
    package let maximumLineByteCount: Int

    /// What earlier chunks held of the line that is being read.
    private var partialLine: [UInt8] = []
    /// Whether the last chunk ended in a CR, so that an LF at the start of the next one belongs to the same break.
    private var skipsLineFeed = false
    private var breaks = LineBreaks()
    private var violation: LineViolation?

    /// Creates a decoder at the start of its input.
    ///
    /// - Parameter maximumLineByteCount: the longest line accepted, in bytes, not counting what ends it; not negative;
    ///   1 MiB by default. It bounds the memory that a peer can make this side hold. (The scanner of Go stops at 64 KiB,
    ///   which JSON lines exceed.)
    package init(maximumLineByteCount: Int = 1 << 20) {
        precondition(maximumLineByteCount >= 0, "the length of a line is not negative")
        self.maximumLineByteCount = maximumLineByteCount
    }

    /// The next line that ends in a chunk.
    ///
    /// - Parameters:
    ///   - chunk: the same bytes in every call, until the result is `nil`.
    ///   - offset: where to go on in the chunk: 0 for a fresh chunk; moved behind the line and its break, and to the end
    ///     of the chunk with the last call.
    /// - Returns: the line without what ends it; `nil` once the chunk is used up. The rest of the chunk is then held
    ///   inside, and the next call takes a fresh chunk.
    /// - Throws: ``LineViolation/tooLong(limit:)`` as soon as more bytes than the limit belong to one line, whether its
    ///   end was seen or not. Once it throws, it always throws.
    /// - Complexity: O(*n*) in the length of the chunk, for all calls with it together.
    package mutating func next(in chunk: RawSpan, from offset: inout Int) throws(LineViolation) -> String? {
        if let violation = self.violation { throw violation }
        precondition(offset >= 0 && offset <= chunk.byteCount, "the offset is not in the chunk")
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

    /// The last line, if the input does not end in a break.
    ///
    /// Call it when there are no more chunks. Afterwards the decoder is at the start of another input, unless it has
    /// thrown.
    ///
    /// - Returns: what follows the last break; `nil` if nothing does, or if the decoder has thrown.
    package mutating func finish() -> String? {
        self.skipsLineFeed = false
        self.breaks.forgetChunk()
        guard !self.partialLine.isEmpty, self.violation == nil else { return nil }
        defer { self.partialLine.removeAll() }
        return String(decoding: self.partialLine, as: UTF8.self)
    }

    /// How many bytes were looked at for breaks; each at most twice; for tests.
    var searchedByteCount: Int { self.breaks.searchedByteCount }

    /// How many bytes are held of a line whose end has not come; for tests.
    var heldByteCount: Int { self.partialLine.count }

    private mutating func line(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
        let slice = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard !self.partialLine.isEmpty else {
            return slice.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
        }
        self.partialLine.append(contentsOf: slice)
        defer { self.partialLine.removeAll(keepingCapacity: true) }
        return String(decoding: self.partialLine, as: UTF8.self)
    }

    private mutating func hold(
        _ bytes: UnsafeRawBufferPointer,
        from offset: inout Int
    ) throws(LineViolation) {
        try self.check(bytes.count - offset)
        self.partialLine.append(contentsOf: bytes[offset...])
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

/// A rule of lines that received bytes broke.
package enum LineViolation: Error, Hashable, Sendable {
    /// A line has more bytes than the limit, not counting what ends it.
    case tooLong(limit: Int)
}

extension LineViolation: CustomStringConvertible {
    /// What happened, in a few words.
    package var description: String {
        switch self {
        case .tooLong(let limit): "a line is longer than \(limit) bytes"
        }
    }
}

extension LineViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? {
        switch self {
        case .tooLong(let limit): "A line is longer than \(limit) bytes."
        }
    }
}

/// Where the next line break of one chunk is.
///
/// The next LF and the next CR are looked for separately, and remembered until they are passed. Without that, a chunk
/// with a million LFs and no CR would be searched for a CR a million times.
struct LineBreaks: Sendable {
    private static let unknown = -1
    private var lineFeed = Self.unknown
    private var carriageReturn = Self.unknown

    /// How many bytes have been looked at since the beginning; tests hold it against twice the length of the input.
    private(set) var searchedByteCount = 0

    /// The end of the line that holds `offset`, and the start of the line after it.
    ///
    /// - Returns: `nil` if the chunk has no further break.
    mutating func next(in chunk: UnsafeRawBufferPointer, from offset: Int) -> (lineEnd: Int, nextLine: Int)? {
        if self.lineFeed < offset { self.lineFeed = self.search(for: .lineFeed, in: chunk, from: offset) }
        if self.carriageReturn < offset {
            self.carriageReturn = self.search(for: .carriageReturn, in: chunk, from: offset)
        }
        let lineEnd = min(self.lineFeed, self.carriageReturn)
        guard lineEnd < chunk.count else { return nil }
        let isPair = self.lineFeed == self.carriageReturn + 1 && self.lineFeed < chunk.count
        return (lineEnd, isPair ? lineEnd + 2 : lineEnd + 1)
    }

    /// Forgets what was found, because the chunk is used up.
    mutating func forgetChunk() {
        self.lineFeed = Self.unknown
        self.carriageReturn = Self.unknown
    }

    private mutating func search(for byte: UInt8, in chunk: UnsafeRawBufferPointer, from offset: Int) -> Int {
        let found = ByteSearch.firstOffset(of: byte, in: chunk, from: offset)
        self.searchedByteCount += min(found + 1, chunk.count) - offset
        return found
    }
}

extension UInt8 {
    /// LF, U+000A.
    static let lineFeed = UInt8(ascii: "\n")
    /// CR, U+000D.
    static let carriageReturn = UInt8(ascii: "\r")
}
