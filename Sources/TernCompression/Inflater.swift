// SPDX-License-Identifier: Apache-2.0

internal import CZlib

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decompresses a stream of bytes.
///
/// Decompresses one value and leaves the bytes after it; for gzip, a value is one member (RFC 1952 §2.2). It does not
/// limit the total output, because it writes only where there is space; the caller must count. ``ContentDecoder`` does
/// that for you.
///
/// With a window of 15 bits, the same input gives the same output or the same violation, however both are split. With a
/// smaller window, zlib may accept a reference to data before the window while that data is still in `output`.
public struct Inflater: ~Copyable, Sendable {
    /// The reason that a call ended.
    @nonexhaustive
    public enum Status: Hashable, Sendable {
        /// All input was consumed, and all of its output was written.
        case needsInput
        /// The output is full: call again with the rest of the input, which may be empty, and more room.
        case needsOutput
        /// The end of the value was read, and its check value, if any, is correct.
        ///
        /// The bytes after it were not consumed.
        case ended
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// The number of consumed bytes, from the front of the input.
        public var consumedByteCount: Int
        /// The reason that the call ended.
        public var status: Status

        /// Creates the outcome of a call.
        package init(consumedByteCount: Int, status: Status) {
            (self.consumedByteCount, self.status) = (consumedByteCount, status)
        }
    }

    var stream: ZlibStream  // tests use it
    private var violation: InflateViolation?
    private let windowBits: Int

    /// Creates a decompressor.
    ///
    /// - Parameters:
    ///   - format: The format that wraps the data.
    ///   - windowBits: The base-2 logarithm of the maximum window in bytes, in 8...15. Defaults to 15, which accepts
    ///     all data. With a lower value, data with a larger window is a violation as soon as zlib detects it.
    /// - Throws: ``CompressionError`` if a parameter is out of range, or there is not enough memory.
    public init(_ format: CompressionFormat, windowBits: Int = 15) throws(CompressionError) {
        guard 8...15 ~= windowBits else { throw .windowBitsOutOfRange(windowBits) }
        let stream = ZlibStream()
        let code = CZlib_inflateInit2(stream.pointer, format.windowArgument(windowBits))
        guard code == Z_OK else { throw CompressionError(code: code) }
        self.stream = stream
        self.windowBits = windowBits
    }

    deinit { _ = CZlib.inflateEnd(self.stream.pointer) }

    /// Decompresses `input`, and appends the result to `output`.
    ///
    /// - Parameters:
    ///   - input: The bytes to decompress. It may be empty, to fetch output that did not fit before.
    ///   - output: The destination. After a violation, it also contains the output before it.
    /// - Returns: The number of consumed bytes, and what the decompressor needs to continue.
    /// - Throws: ``InflateViolation``. Every later call throws the same error, until ``reset()``.
    public mutating func inflate(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(InflateViolation) -> Progress {
        try self.inflate(input, into: &output, maximumWrittenByteCount: .max)
    }

    /// Decompresses like ``inflate(_:into:)``, but treats the output as full after a number of bytes.
    mutating func inflate(
        _ input: RawSpan,
        into output: inout OutputRawSpan,
        maximumWrittenByteCount: Int
    ) throws(InflateViolation) -> Progress {
        if let violation = self.violation { throw violation }
        let outcome = self.stream.run(
            input,
            into: &output,
            maximumWrittenByteCount: maximumWrittenByteCount
        ) { stream, _ in CZlib.inflate(stream, Z_NO_FLUSH) }
        let consumed = outcome.consumedByteCount
        switch outcome.code {
        // Z_BUF_ERROR only means that there was nothing to do.
        case Z_OK, Z_BUF_ERROR:
            return Progress(consumedByteCount: consumed, status: outcome.filledOutput ? .needsOutput : .needsInput)
        case Z_STREAM_END: return Progress(consumedByteCount: consumed, status: .ended)
        case Z_NEED_DICT: throw self.broken(.needsDictionary)
        case Z_MEM_ERROR: throw self.broken(.outOfMemory)
        default: throw self.broken(.corrupt(message: self.stream.message))
        }
    }

    /// Discards all input and output, as if newly created with the same parameters; keeps the memory.
    public mutating func reset() {
        self.violation = nil
        let code = CZlib.inflateReset(self.stream.pointer)
        precondition(code == Z_OK, "zlib could not reset the decompressor")
    }

    /// Resets like ``reset()``, but continues with another format.
    mutating func reset(to format: CompressionFormat) {
        self.violation = nil
        let code = CZlib.inflateReset2(self.stream.pointer, format.windowArgument(self.windowBits))
        precondition(code == Z_OK, "zlib could not reset the decompressor")
    }

    /// Continues as if the output had room for one byte.
    ///
    /// Returns `nil` if a byte would be written; the decompressor is then unusable.
    mutating func probe(_ input: RawSpan) throws(InflateViolation) -> Progress? {
        var byte: UInt8 = 0
        return try withUnsafeMutableBytes(of: &byte) { (buffer) throws(InflateViolation) -> Progress? in
            var room = OutputRawSpan(buffer: buffer, initializedCount: 0)
            do throws(InflateViolation) {
                let progress = try self.inflate(input, into: &room)
                return room.isEmpty ? progress : nil
            } catch {
                // The output before a violation has priority here, too.
                guard room.isEmpty else { return nil }
                throw error
            }
        }
    }

    /// Returns the number of bytes of memory that a decompressor uses once it has a window.
    ///
    /// It is 40 KiB with 15 bits. The formula is from zlib's manual; other builds of zlib may differ a little.
    ///
    /// - Parameter windowBits: The base-2 logarithm of the window in bytes, in 8...15.
    /// - Returns: The number of bytes.
    public static func memoryByteCount(windowBits: Int) -> Int {
        (1 << windowBits) + ZlibStream.stateByteCount
    }

    private mutating func broken(_ violation: InflateViolation) -> InflateViolation {
        self.violation = violation
        return violation
    }
}

/// The reason that data cannot be decompressed.
///
/// No case contains received bytes, so a violation is safe to log.
@nonexhaustive
public enum InflateViolation: Error, Hashable, Sendable {
    /// The data breaks a rule of its format, or does not match its check value or length.
    ///
    /// The message is zlib's own text, such as "invalid block type", and may change with its version.
    case corrupt(message: String)
    /// The data was compressed with a dictionary that is not available.
    case needsDictionary
    /// There is not enough memory for the window, which is allocated when it is first needed.
    case outOfMemory

    /// The document and section that state the rule, such as `"RFC 1951 §3.2"`.
    public var section: String {
        switch self {
        case .corrupt: "RFC 1951 §3.2"
        case .needsDictionary: "RFC 1950 §2.2"
        case .outOfMemory: "RFC 1951 §2"
        }
    }

    /// A sentence that says what was wrong.
    ///
    /// It never contains received bytes, and its wording may change.
    public var reason: String {
        switch self {
        case .corrupt(let message): "The compressed data is corrupt: \(message)."
        case .needsDictionary: "The compressed data needs a preset dictionary."
        case .outOfMemory: "There is not enough memory to decompress."
        }
    }
}

extension InflateViolation: CustomStringConvertible {
    /// The reason, followed by the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension InflateViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? {
        if case .corrupt = self { "The compressed data is corrupt." } else { self.reason }
    }
}
