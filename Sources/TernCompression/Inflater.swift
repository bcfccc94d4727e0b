// SPDX-License-Identifier: Apache-2.0

internal import CZlib
public import TernFoundation

/// Decompresses one stream of bytes, such as a zlib stream or one gzip member, up to its end.
///
/// It does not limit the total output: a caller that wants a limit must count the bytes, as ``ContentDecoder`` does. With a
/// window of 15 bits, the same bytes give the same output or the same violation, however they are split into pieces. With a
/// smaller window, zlib may accept a reference to data before the window, while that data is still in `output`.
public struct Inflater: ~Copyable, Sendable {
    /// The reason that a call ended.
    @nonexhaustive
    public enum Status: Hashable, Sendable {
        /// The decompressor has consumed all input and written all of its output.
        case needsInput
        /// The output is full: call again with the rest of the input, which may be empty, and more room.
        case needsOutput
        /// The end of the stream was read, and its check value, if any, is correct; the bytes after it were not consumed.
        case ended
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// The number of consumed bytes, from the front of the input.
        public var consumedByteCount: Int
        /// The reason that the call ended.
        public var status: Status

        package init(consumedByteCount: Int, status: Status) {
            (self.consumedByteCount, self.status) = (consumedByteCount, status)
        }
    }

    var stream: ZlibStream  // tests use it
    private var violation: InflateViolation?
    private let windowBits: Int

    /// Creates a decompressor with a window of 8...15 bits, which may refuse data for a larger window; 15 suits every stream.
    ///
    /// - Throws: ``CompressionError`` when the window is out of range, when there is not enough memory, or when the loaded zlib
    ///   library is not compatible with the one that Tern was built with.
    public init(_ format: CompressionFormat, windowBits: Int = 15) throws(CompressionError) {
        guard 8...15 ~= windowBits else { throw .windowBitsOutOfRange(windowBits) }
        let stream = ZlibStream()
        let code = CZlib_inflateInit2(stream.pointer, format.windowArgument(windowBits))
        guard code == Z_OK else { throw CompressionError(code: code) }
        self.stream = stream
        self.windowBits = windowBits
    }

    deinit { _ = CZlib.inflateEnd(self.stream.pointer) }

    /// Decompresses `input` up to the end of the stream, and appends the result to `output`.
    ///
    /// An empty `input` fetches output that did not fit before. After a violation, calls throw the same error until ``reset()``.
    public mutating func inflate(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(InflateViolation) -> Progress {
        if let violation = self.violation { throw violation }
        let outcome = self.stream.run(input, into: &output) { stream, _ in CZlib.inflate(stream, Z_NO_FLUSH) }
        let consumed = outcome.consumedByteCount
        switch outcome.code {
        // Z_BUF_ERROR is not a failure: it means that zlib could not continue without more input or room.
        case Z_OK, Z_BUF_ERROR:
            return Progress(consumedByteCount: consumed, status: outcome.filledOutput ? .needsOutput : .needsInput)
        case Z_STREAM_END: return Progress(consumedByteCount: consumed, status: .ended)
        case Z_NEED_DICT: throw self.broken(.needsDictionary)
        case Z_MEM_ERROR: throw self.broken(.outOfMemory)
        default: throw self.broken(.corrupt(message: self.stream.message))
        }
    }

    /// Discards all state, so that the decompressor can begin a new stream with the same parameters and the same memory.
    public mutating func reset() {
        self.violation = nil
        let code = CZlib.inflateReset(self.stream.pointer)
        precondition(code == Z_OK, "zlib could not reset the decompressor")
    }

    mutating func reset(to format: CompressionFormat) {
        self.violation = nil
        let code = CZlib.inflateReset2(self.stream.pointer, format.windowArgument(self.windowBits))
        precondition(code == Z_OK, "zlib could not reset the decompressor")
    }

    /// Returns the approximate number of bytes that a decompressor uses with a window of 8...15 bits; 40 KiB with 15.
    public static func memoryByteCount(windowBits: Int) -> Int {
        (1 << windowBits) + ZlibStream.stateByteCount
    }

    private mutating func broken(_ violation: InflateViolation) -> InflateViolation {
        self.violation = violation
        return violation
    }
}

/// The reason that data cannot be decompressed; no case contains received bytes, so it is safe to log.
@nonexhaustive
public enum InflateViolation: Error, Hashable, Sendable {
    /// The data breaks its format, does not match its check value or length, or needs a larger window; the message is zlib's own.
    case corrupt(message: String)
    /// The data was compressed with a preset dictionary, which this decompressor does not support.
    case needsDictionary
    /// There is not enough memory for the window, which zlib allocates when it first needs it.
    case outOfMemory

    /// A related document and section, such as `"RFC 1951 §3.2"`.
    public var section: String {
        switch self {
        case .corrupt: "RFC 1951 §3.2"
        case .needsDictionary: "RFC 1950 §2.2"
        case .outOfMemory: "RFC 1951 §2"
        }
    }

    /// A sentence that describes the violation without received bytes; its wording may change.
    public var reason: String {
        switch self {
        case .corrupt(let message): "The compressed data is corrupt: \(message)."
        case .needsDictionary: "The compressed data needs a preset dictionary, which is not supported."
        case .outOfMemory: "There is not enough memory to decompress the data."
        }
    }
}

extension InflateViolation: CustomStringConvertible {
    /// The reason, followed by the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension InflateViolation: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? {
        if case .corrupt = self { "The compressed data is corrupt." } else { self.reason }
    }
}
