// SPDX-License-Identifier: Apache-2.0

internal import TernCompression

/// Decompresses the messages of a server (RFC 7692 §7.2.2).
struct MessageInflater: ~Copyable, Sendable {
    private var inflater: Inflater
    /// Whether the stream has ended and nothing was read since.
    private var hasEnded = false
    /// Whether a byte of this message was read.
    private var hasBegun = false
    private let resetsEachMessage: Bool

    init(_ agreement: PerMessageDeflate.Agreement) throws(CompressionError) {
        self.inflater = try Inflater(.raw, windowBits: agreement.serverWindowBits)
        self.resetsEachMessage = agreement.serverNoContextTakeover
    }

    /// Prepares for a new message.
    mutating func begin() {
        self.hasBegun = false
        guard self.resetsEachMessage else { return }
        self.inflater.reset()
        self.hasEnded = false
    }

    /// Inflates a part of a message and appends the result; the returned status is never `ended`.
    ///
    /// §7.2.3.4: a block may have BFINAL set, and others may follow it. For zlib the stream then ends, so a new stream
    /// begins here. A sender that set BFINAL with `Z_FINISH` had to begin a new stream, too.
    mutating func inflate(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(InflateViolation) -> Inflater.Progress {
        var consumed = 0
        if !input.isEmpty { self.hasBegun = true }
        while true {
            if self.hasEnded {
                guard consumed < input.byteCount else {
                    return Inflater.Progress(consumedByteCount: consumed, status: .needsInput)
                }
                self.inflater.reset()
                self.hasEnded = false
            }
            let progress = try self.inflater.inflate(input.extracting(droppingFirst: consumed), into: &output)
            consumed += progress.consumedByteCount
            guard progress.status == .ended else {
                return Inflater.Progress(consumedByteCount: consumed, status: progress.status)
            }
            self.hasEnded = true
        }
    }

    /// Ends a message; call it once all of its output was written.
    ///
    /// §7.2.2: `00 00 FF FF` is appended to the payload. It ends an empty stored block that the sender began, so it
    /// must produce no output. Nothing is appended to a payload that needs no end: one without a byte, and one that
    /// ends with BFINAL. Both violate §7.2.1, but their meaning is clear.
    ///
    /// - Returns: `false` if the message was incomplete.
    mutating func finish(into output: inout OutputRawSpan) throws(InflateViolation) -> Bool {
        guard self.hasBegun, !self.hasEnded else { return true }
        let tail: UInt32 = (0x0000_FFFF as UInt32).bigEndian
        let written = output.byteCount
        let progress = try withUnsafeBytes(of: tail) { (bytes) throws(InflateViolation) in
            try self.inflater.inflate(bytes.bytes, into: &output)
        }
        return progress.status == .needsInput && output.byteCount == written
    }
}
