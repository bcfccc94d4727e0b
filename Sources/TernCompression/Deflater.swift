// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Compresses a stream of bytes.
///
/// The output may have any capacity, even a single byte. A sync flush adds exactly one empty block, however small the
/// capacity is.
///
/// ```swift
/// var deflater = try Deflater(.gzip)
/// repeat {
///     let progress = deflater.deflate(rest, flush: .finish, into: &output)
///     rest = rest.extracting(droppingFirst: progress.consumedByteCount)
///     if progress.isComplete { break }
///     makeRoom(in: &output)
/// } while true
/// ```
public struct Deflater: ~Copyable, Sendable {
    /// The output that must be written by the end of a call.
    ///
    /// This enumeration is closed: these are the flushes of zlib that a stream needs.
    public enum Flush: Hashable, Sendable {
        /// No output must be written: the compressor may hold data back to compress it better.
        case none
        /// All data, followed by an empty stored block, which ends in `00 00 FF FF`.
        ///
        /// The other side can then read all data so far. If there is no new data since the last such block, nothing is
        /// written.
        case sync
        /// All data, and the end of the stream.
        case finish
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// The number of consumed bytes, from the front of the input.
        public var consumedByteCount: Int
        /// Whether all input was consumed, and all output that the flush demands was written.
        ///
        /// If not, the output is full: call again with the rest of the input, the same flush and more room.
        public var isComplete: Bool

        /// Creates the outcome of a call.
        package init(consumedByteCount: Int, isComplete: Bool) {
            (self.consumedByteCount, self.isComplete) = (consumedByteCount, isComplete)
        }
    }

    private enum State: Sendable {
        /// No empty block follows the latest input, or there is no input yet.
        ///
        /// Exits: `marked`, `finishing`.
        case open
        /// zlib's last output is the empty block of a sync flush, although zlib may still hold back a part of it.
        ///
        /// Exits: `open`, `finishing`.
        case marked
        /// The end was requested, but not all of it is written.
        ///
        /// Exit: `finished`.
        case finishing
        /// The end was written.
        ///
        /// The only exit is ``reset()``.
        case finished
    }

    var stream: ZlibStream  // tests use it
    private var state = State.open

    /// Creates a compressor, and allocates all of its memory.
    ///
    /// - Parameters:
    ///   - format: The format that wraps the data.
    ///   - parameters: The parameters. Defaults to those of zlib.
    /// - Throws: ``CompressionError`` if a parameter is out of range, or there is not enough memory.
    public init(
        _ format: CompressionFormat,
        _ parameters: DeflateParameters = DeflateParameters()
    ) throws(CompressionError) {
        try parameters.validate()
        let stream = ZlibStream()
        let code = CZlib_deflateInit2(
            stream.pointer,
            CInt(parameters.level),
            format.windowArgument(parameters.windowBits),
            CInt(parameters.memoryLevel),
            parameters.strategy.code
        )
        guard code == Z_OK else { throw CompressionError(code: code) }
        self.stream = stream
    }

    deinit { _ = CZlib.deflateEnd(self.stream.pointer) }

    /// Compresses `input`, and appends the result to `output`.
    ///
    /// - Parameters:
    ///   - input: The bytes to compress; may be empty.
    ///   - flush: The output that must be written. After `finish`, it must stay `finish`, and the input may only be the
    ///     rest of the same input; otherwise this traps.
    ///   - output: The destination. Any capacity is enough to continue, but a small one is slow.
    /// - Returns: The number of consumed bytes, and whether nothing is left to do.
    public mutating func deflate(_ input: RawSpan, flush: Flush, into output: inout OutputRawSpan) -> Progress {
        switch self.state {
        case .open, .marked: break
        case .finishing: precondition(flush == .finish, "a compressor accepts no input after the end of its stream")
        case .finished:
            precondition(input.isEmpty, "a compressor accepts no input after the end of its stream")
            return Progress(consumedByteCount: 0, isComplete: true)
        }
        switch flush {
        case .none: return self.take(input, into: &output)
        case .sync: return self.sync(input, into: &output)
        case .finish: return self.finish(input, into: &output)
        }
    }

    /// Discards all input and output, as if newly created with the same parameters; keeps the memory.
    public mutating func reset() {
        let code = CZlib.deflateReset(self.stream.pointer)
        precondition(code == Z_OK, "zlib could not reset the compressor")
        self.state = .open
    }

    // MARK: Flushing

    private mutating func take(_ input: RawSpan, into output: inout OutputRawSpan) -> Progress {
        let outcome = self.stream.run(input, into: &output) { stream, _ in CZlib.deflate(stream, Z_NO_FLUSH) }
        if outcome.consumedByteCount > 0 { self.state = .open }
        return Progress(
            consumedByteCount: outcome.consumedByteCount,
            isComplete: outcome.consumedByteCount == input.byteCount
        )
    }

    /// Flushes in two steps, because zlib's own sync flush adds a second empty block if the first did not fit.
    ///
    /// `Z_BLOCK` writes all data but adds nothing, however often it is called. If it leaves space in the output, all
    /// data was written. Then the empty block is requested once, and the part of it that does not fit is fetched
    /// without any flush.
    private mutating func sync(_ input: RawSpan, into output: inout OutputRawSpan) -> Progress {
        var consumed = 0
        if self.state == .open || !input.isEmpty {
            let outcome = self.stream.run(input, into: &output) { stream, isLast in
                CZlib.deflate(stream, isLast ? Z_BLOCK : Z_NO_FLUSH)
            }
            consumed = outcome.consumedByteCount
            if consumed > 0 { self.state = .open }
            if outcome.filledOutput { return Progress(consumedByteCount: consumed, isComplete: false) }
        }
        var flush = self.state == .open ? Z_SYNC_FLUSH : Z_NO_FLUSH
        self.state = .marked
        _ = self.stream.run(RawSpan(), into: &output) { stream, _ in
            defer { flush = Z_NO_FLUSH }
            return CZlib.deflate(stream, flush)
        }
        return Progress(consumedByteCount: consumed, isComplete: self.pendingByteCount == 0)
    }

    private mutating func finish(_ input: RawSpan, into output: inout OutputRawSpan) -> Progress {
        self.state = .finishing
        let outcome = self.stream.run(input, into: &output) { stream, isLast in
            CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        }
        let isComplete = outcome.code == Z_STREAM_END
        precondition(isComplete || outcome.filledOutput, "a compressor accepts no input after the end of its stream")
        if isComplete { self.state = .finished }
        return Progress(consumedByteCount: outcome.consumedByteCount, isComplete: isComplete)
    }

    /// The number of whole bytes that zlib produced but could not write yet.
    private var pendingByteCount: Int {
        var count: CUnsignedInt = 0
        let code = CZlib.deflatePending(self.stream.pointer, &count, nil)
        precondition(code == Z_OK, "zlib lost the state of the compressor")
        return Int(count)
    }
}
