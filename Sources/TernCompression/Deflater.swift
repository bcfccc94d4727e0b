// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Compresses a stream of bytes.
///
/// Any room for output is enough, also one byte at a time. A sync flush adds one empty block, however little room
/// there is.
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
    /// What must be written by the end of a call.
    ///
    /// Closed: these are the flushes of zlib that a stream needs.
    public enum Flush: Hashable, Sendable {
        /// Nothing: the compressor keeps what it likes to see more of.
        case none
        /// Everything, followed by an empty stored block, which ends in `00 00 FF FF`.
        ///
        /// The other side can then read all that was given so far. If nothing was given since the last such block,
        /// nothing is written.
        case sync
        /// Everything, and the end of the stream.
        case finish
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// How many bytes, from the front of the input, were taken.
        public var consumedByteCount: Int
        /// Whether all input was taken and all output that the flush demands was written.
        ///
        /// If not, the output is full: call again with the rest of the input, the same flush and more room.
        public var isComplete: Bool

        /// Creates the outcome of a call.
        package init(consumedByteCount: Int, isComplete: Bool) {
            (self.consumedByteCount, self.isComplete) = (consumedByteCount, isComplete)
        }
    }

    private enum State: Sendable {
        /// Input was given that no empty block follows yet, or nothing ever. Exits: `marked`, `finishing`.
        case open
        /// The empty block of a sync flush is the last that zlib made, though it may hold some of it back.
        /// Exits: `open`, `finishing`.
        case marked
        /// The end was asked for, but not all is written. Exit: `finished`.
        case finishing
        /// The end was written. No exit but ``reset()``.
        case finished
    }

    var stream: ZlibStream  // reached by tests
    private var state = State.open

    /// Creates a compressor, which takes all its memory now.
    ///
    /// - Parameters:
    ///   - format: what to wrap the data in.
    ///   - parameters: how hard and with how much memory to compress; those of zlib unless told.
    /// - Throws: ``CompressionError`` if a parameter is out of range or there is no memory.
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

    /// Appends to `output` what comes of `input`.
    ///
    /// - Parameters:
    ///   - input: bytes to compress; may be empty.
    ///   - flush: what must be written in any case. Once it was `finish`, it must stay so, and the input may only be
    ///     what is left of the same input, or this traps.
    ///   - output: where to write; any room is enough to get on, though little is slow.
    /// - Returns: how much input was taken, and whether nothing is left to do.
    public mutating func deflate(_ input: RawSpan, flush: Flush, into output: inout OutputRawSpan) -> Progress {
        switch self.state {
        case .open, .marked: break
        case .finishing: precondition(flush == .finish, "input after the end of a compressed stream")
        case .finished:
            precondition(input.isEmpty, "input after the end of a compressed stream")
            return Progress(consumedByteCount: 0, isComplete: true)
        }
        switch flush {
        case .none: return self.take(input, into: &output)
        case .sync: return self.sync(input, into: &output)
        case .finish: return self.finish(input, into: &output)
        }
    }

    /// Forgets all input and output, as if newly made with the same parameters; keeps the memory.
    public mutating func reset() {
        let code = CZlib.deflateReset(self.stream.pointer)
        precondition(code == Z_OK, "a compressor that cannot be reset")
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

    /// Flushes in two steps, for zlib's own sync flush adds a second empty block if the first did not fit.
    ///
    /// `Z_BLOCK` writes all data but adds nothing, however often it is called; when it leaves room, all data was
    /// written. Then the empty block is asked for once, and what of it does not fit is fetched without any flush.
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
        precondition(isComplete || outcome.filledOutput, "input after the end of a compressed stream")
        if isComplete { self.state = .finished }
        return Progress(consumedByteCount: outcome.consumedByteCount, isComplete: isComplete)
    }

    /// How many whole bytes zlib made, but had no room to write.
    private var pendingByteCount: Int {
        var count: CUnsignedInt = 0
        let code = CZlib.deflatePending(self.stream.pointer, &count, nil)
        precondition(code == Z_OK, "a compressor that lost its state")
        return Int(count)
    }
}
