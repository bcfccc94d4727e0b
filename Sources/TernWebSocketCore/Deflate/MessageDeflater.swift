// SPDX-License-Identifier: Apache-2.0

public import TernCompression

/// Compresses the messages of a client (RFC 7692 §7.2.1), with memory that it allocates for the first message with content: about
/// 264 KiB by default.
///
/// ```swift
/// repeat {
///     let progress = try deflater.compress(rest, isFinal: true, into: &output)
///     rest = rest.extracting(droppingFirst: progress.consumedByteCount)
///     if progress.isComplete { break }
///     makeRoom(in: &output)  // or send what is there as a fragment
/// } while true
/// ```
public struct MessageDeflater: ~Copyable, Sendable {
    /// The result of one call of ``MessageDeflater/compress(_:isFinal:into:)``.
    public struct Progress: Hashable, Sendable {
        /// The number of bytes that were consumed from the front of the input.
        public var consumedByteCount: Int
        /// Whether the call consumed all input and, with `isFinal`, completed the message; if not, call again with the rest.
        public var isComplete: Bool

        package init(consumedByteCount: Int, isComplete: Bool) {
            (self.consumedByteCount, self.isComplete) = (consumedByteCount, isComplete)
        }
    }

    /// The minimum room that the output needs: the 4 bytes that may be held back at the end of a message, and one more.
    public static let minimumOutputByteCount = Self.tailByteCount + 1

    private static let tailByteCount = 4

    private var deflater: Deflater?
    private var hasDeflater = false
    private var hasBegun = false
    /// The last bytes, the first one most significant, which are held back because they may be the `00 00 FF FF` to remove.
    private var held: UInt32 = 0
    private var heldByteCount = 0

    private let parameters: DeflateParameters
    private let resetsEachMessage: Bool

    /// Creates a compressor for one connection; the `clientWindowBits` of the agreement limit how far back it refers.
    public init(_ agreement: PerMessageDeflate.Agreement, _ parameters: DeflateParameters = DeflateParameters()) {
        var parameters = parameters
        parameters.windowBits = min(parameters.windowBits, agreement.clientWindowBits)
        if parameters.windowBits < 9 {
            // zlib has no raw deflate with a window of 256 bytes, but runs of equal bytes refer back by one byte.
            parameters.windowBits = 9
            parameters.strategy = .runLength
        }
        self.parameters = parameters
        self.resetsEachMessage = agreement.clientNoContextTakeover
    }

    /// Compresses a part of a message, and appends the result, without the last `00 00 FF FF`, at once or with a later part.
    ///
    /// - Parameters:
    ///   - input: The next bytes of the message. May be empty.
    ///   - isFinal: Whether the message ends with these bytes. After a call with `true`, pass `true` until the message is
    ///     complete.
    ///   - output: The span to write to. Traps if the span has less room than ``minimumOutputByteCount``.
    /// - Returns: The number of bytes consumed, and whether the part is complete.
    /// - Throws: `CompressionError` before the first byte, for example if memory is short or the level is out of range.
    public mutating func compress(
        _ input: RawSpan,
        isFinal: Bool,
        into output: inout OutputRawSpan
    ) throws(CompressionError) -> Progress {
        precondition(output.freeCapacity >= Self.minimumOutputByteCount, "the output span does not have enough room")
        if !input.isEmpty {
            try self.prepare()
            self.hasBegun = true
        }
        guard self.hasBegun else {
            // §7.2.3.6: an empty message is a single byte.
            if isFinal { output.append(0x00) }
            return Progress(consumedByteCount: 0, isComplete: true)
        }
        guard isFinal else {
            precondition(self.heldByteCount == 0, "a message that has ended cannot continue")
            let progress = self.deflate(input, flush: .none, into: &output)
            return Progress(consumedByteCount: progress.consumedByteCount, isComplete: progress.isComplete)
        }
        return self.finish(input, into: &output)
    }

    private mutating func finish(_ input: RawSpan, into output: inout OutputRawSpan) -> Progress {
        let start = output.byteCount
        self.releaseHeld(into: &output)
        let progress = self.deflate(input, flush: .sync, into: &output)
        if progress.isComplete {
            // §7.2.1: 4 bytes, which are 00 00 FF FF, are removed from the end.
            output.removeLast(Self.tailByteCount)
            self.hasBegun = false
            if self.resetsEachMessage { self.deflater?.reset() }
        } else {
            self.holdBack(from: start, of: &output)
        }
        return Progress(consumedByteCount: progress.consumedByteCount, isComplete: progress.isComplete)
    }

    private mutating func holdBack(from start: Int, of output: inout OutputRawSpan) {
        self.heldByteCount = min(Self.tailByteCount, output.byteCount - start)
        self.held = 0
        let kept = output.byteCount - self.heldByteCount
        for offset in 0..<self.heldByteCount {
            self.held = self.held << 8 | UInt32(output.bytes.byte(at: kept + offset))
        }
        output.removeLast(self.heldByteCount)
    }

    private mutating func releaseHeld(into output: inout OutputRawSpan) {
        for offset in (0..<self.heldByteCount).reversed() {
            output.append(UInt8(truncatingIfNeeded: self.held >> (8 * offset)))
        }
        self.heldByteCount = 0
    }

    private mutating func prepare() throws(CompressionError) {
        guard !self.hasDeflater else { return }
        self.deflater = try Deflater(.raw, self.parameters)
        self.hasDeflater = true
    }

    private mutating func deflate(
        _ input: RawSpan,
        flush: Deflater.Flush,
        into output: inout OutputRawSpan
    ) -> Deflater.Progress {
        guard let progress = self.deflater?.deflate(input, flush: flush, into: &output) else {
            preconditionFailure("the compressor must exist before it compresses")
        }
        return progress
    }
}
