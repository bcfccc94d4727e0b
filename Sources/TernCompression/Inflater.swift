// SPDX-License-Identifier: Apache-2.0

internal import CZlib

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decompresses a stream of bytes.
///
/// Reads one value: in gzip one member (RFC 1952 §2.2), and leaves what follows it. It sets no limit to what comes
/// out, for it writes only where there is room; the caller counts. ``ContentDecoder`` counts for you.
///
/// The same input gives the same output or the same violation, however both are cut, if the window has 15 bits. With a
/// smaller one, zlib may accept a reference to data that lies before the window as long as it is still in `output`.
public struct Inflater: ~Copyable, Sendable {
    /// Why a call came to its end.
    @nonexhaustive
    public enum Status: Hashable, Sendable {
        /// All input was taken, and all that comes of it was written.
        case needsInput
        /// The output is full: call again with the rest of the input, which may be empty, and more room.
        case needsOutput
        /// The end of the value was read, and its check value, if any, is right. What follows was not taken.
        case ended
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// How many bytes, from the front of the input, were taken.
        public var consumedByteCount: Int
        /// Why the call came to its end.
        public var status: Status

        /// Creates the outcome of a call.
        package init(consumedByteCount: Int, status: Status) {
            (self.consumedByteCount, self.status) = (consumedByteCount, status)
        }
    }

    var stream: ZlibStream  // reached by tests
    private var violation: InflateViolation?
    private let windowBits: Int

    /// Creates a decompressor.
    ///
    /// - Parameters:
    ///   - format: what the data is wrapped in.
    ///   - windowBits: the base-2 logarithm of the largest window in bytes, in 8...15. The default, 15, reads all
    ///     data; with less, data of a larger window is a violation where it is noticed.
    /// - Throws: ``CompressionError`` if a parameter is out of range or there is no memory.
    public init(_ format: CompressionFormat, windowBits: Int = 15) throws(CompressionError) {
        guard 8...15 ~= windowBits else { throw .windowBitsOutOfRange(windowBits) }
        let stream = ZlibStream()
        let code = CZlib_inflateInit2(stream.pointer, format.windowArgument(windowBits))
        guard code == Z_OK else { throw CompressionError(code: code) }
        self.stream = stream
        self.windowBits = windowBits
    }

    deinit { _ = CZlib.inflateEnd(self.stream.pointer) }

    /// Appends to `output` what comes of `input`.
    ///
    /// - Parameters:
    ///   - input: bytes to decompress; may be empty, to fetch what had no room before.
    ///   - output: where to write; holds all that came before a violation, too.
    /// - Returns: how much input was taken, and what is needed to get on.
    /// - Throws: ``InflateViolation``, and the same one ever after, until ``reset()``.
    public mutating func inflate(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(InflateViolation) -> Progress {
        try self.inflate(input, into: &output, maximumWrittenByteCount: .max)
    }

    /// Like ``inflate(_:into:)``, but takes the output for full after so many bytes.
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
        // Z_BUF_ERROR only says that there was nothing to do.
        case Z_OK, Z_BUF_ERROR:
            return Progress(consumedByteCount: consumed, status: outcome.filledOutput ? .needsOutput : .needsInput)
        case Z_STREAM_END: return Progress(consumedByteCount: consumed, status: .ended)
        case Z_NEED_DICT: throw self.broken(.needsDictionary)
        case Z_MEM_ERROR: throw self.broken(.outOfMemory)
        default: throw self.broken(.corrupt(message: self.stream.message))
        }
    }

    /// Forgets all input and output, as if newly made with the same parameters; keeps the memory.
    public mutating func reset() {
        self.violation = nil
        let code = CZlib.inflateReset(self.stream.pointer)
        precondition(code == Z_OK, "a decompressor that cannot be reset")
    }

    /// Like ``reset()``, but goes on with another format.
    mutating func reset(to format: CompressionFormat) {
        self.violation = nil
        let code = CZlib.inflateReset2(self.stream.pointer, format.windowArgument(self.windowBits))
        precondition(code == Z_OK, "a decompressor that cannot be reset")
    }

    /// Goes on as if there were room for one byte; `nil` if one would be written, and then this is of no more use.
    mutating func probe(_ input: RawSpan) throws(InflateViolation) -> Progress? {
        var byte: UInt8 = 0
        return try withUnsafeMutableBytes(of: &byte) { (buffer) throws(InflateViolation) -> Progress? in
            var room = OutputRawSpan(buffer: buffer, initializedCount: 0)
            do throws(InflateViolation) {
                let progress = try self.inflate(input, into: &room)
                return room.isEmpty ? progress : nil
            } catch {
                // What came before a violation comes first here, too.
                guard room.isEmpty else { return nil }
                throw error
            }
        }
    }

    /// How many bytes of memory a decompressor holds once it has a window.
    ///
    /// 40 KiB with 15 bits. The sum is that of zlib's manual; other builds of zlib may differ a little.
    ///
    /// - Parameter windowBits: the base-2 logarithm of the window in bytes, in 8...15.
    /// - Returns: a number of bytes.
    public static func memoryByteCount(windowBits: Int) -> Int {
        (1 << windowBits) + ZlibStream.stateByteCount
    }

    private mutating func broken(_ violation: InflateViolation) -> InflateViolation {
        self.violation = violation
        return violation
    }
}

/// Why data cannot be decompressed.
///
/// No case holds received bytes, so a violation is safe to log.
@nonexhaustive
public enum InflateViolation: Error, Hashable, Sendable {
    /// The data breaks a rule of its format, or does not have the check value or length that it says.
    ///
    /// The message is zlib's own text, such as "invalid block type", and may change with its version.
    case corrupt(message: String)
    /// The data can only be read by who has the dictionary that it was compressed with.
    case needsDictionary
    /// There is no memory for the window, which is only taken once there is something to remember.
    case outOfMemory

    /// The document and section that state the rule, such as `"RFC 1951 §3.2"`.
    public var section: String {
        switch self {
        case .corrupt: "RFC 1951 §3.2"
        case .needsDictionary: "RFC 1950 §2.2"
        case .outOfMemory: "RFC 1951 §2"
        }
    }

    /// What was wrong, in one sentence; never holds received bytes, and its wording may change.
    public var reason: String {
        switch self {
        case .corrupt(let message): "The compressed data is corrupt: \(message)."
        case .needsDictionary: "The compressed data needs a preset dictionary."
        case .outOfMemory: "There is not enough memory to decompress."
        }
    }
}

extension InflateViolation: CustomStringConvertible {
    /// The reason, then the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension InflateViolation: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? {
        if case .corrupt = self { "The compressed data is corrupt." } else { self.reason }
    }
}
