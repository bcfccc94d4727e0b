// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Compresses a stream of bytes.
///
/// Room for one byte of output is enough: call again with more room until the progress is complete. A sync flush of new data adds
/// exactly one empty block, even if it takes several calls.
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
    /// The amount of output that the compressor must write before a call is complete.
    public enum Flush: Hashable, Sendable {
        /// No output is required: the compressor may hold data back to compress it better.
        case none
        /// All data so far, then one empty stored block, which ends in `00 00 FF FF`; a second flush without new data adds none.
        case sync
        /// All remaining data, followed by the end of the stream.
        case finish
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// The number of consumed bytes, from the front of the input.
        public var consumedByteCount: Int
        /// Whether the call consumed all input, and wrote all output that the flush mode requires; otherwise, call again with the
        /// rest of the input, the same flush mode and more room.
        public var isComplete: Bool

        package init(consumedByteCount: Int, isComplete: Bool) {
            (self.consumedByteCount, self.isComplete) = (consumedByteCount, isComplete)
        }
    }

    private enum State: Sendable {
        /// No sync flush was made after the latest input. Exits: `marked`, `finishing`.
        case open
        /// A sync flush was made after the latest input; zlib may still hold back a part of it. Exits: `open`, `finishing`.
        case marked
        /// A call passed `finish`, and some output is not written yet. Exits: `finished`, and `open` by ``reset()``.
        case finishing
        /// The end of the stream was written. The only exit is ``reset()``.
        case finished
    }

    var stream: ZlibStream  // tests use it
    private var state = State.open

    /// Creates a compressor, and allocates all the memory that it needs.
    ///
    /// - Throws: ``CompressionError`` when a parameter is out of range, when there is not enough memory, or when the loaded zlib
    ///   library is not compatible with the one that Tern was built with.
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
    ///   - input: The bytes to compress. May be empty.
    ///   - flush: The output that the call must write. After a call with `finish`, pass `finish` and the rest of the same input
    ///     until a call is complete, and then no input. Other calls before ``reset()`` can trap.
    ///   - output: The destination, with room for at least one byte. Compression into little room is slow.
    /// - Returns: The number of consumed bytes, and whether the call is complete.
    public mutating func deflate(_ input: RawSpan, flush: Flush, into output: inout OutputRawSpan) -> Progress {
        switch self.state {
        case .open, .marked: break
        case .finishing: precondition(flush == .finish, "after a call with finish, later calls must pass finish, too")
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

    /// Discards all state, so that the compressor can begin a new stream with the same parameters and the same memory.
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

    /// Flushes in two steps, because zlib's own sync flush adds a second empty block if the first did not fit: `Z_BLOCK` writes all
    /// data until room is left; then `Z_SYNC_FLUSH` requests the empty block once, and `Z_NO_FLUSH` the rest of it.
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

    private var pendingByteCount: Int {
        var count: CUnsignedInt = 0
        let code = CZlib.deflatePending(self.stream.pointer, &count, nil)
        precondition(code == Z_OK, "zlib lost the state of the compressor")
        return Int(count)
    }
}
