// SPDX-License-Identifier: Apache-2.0

internal import TernCompression

/// Decompresses the messages of a server (RFC 7692 §7.2.2).
struct MessageInflater: ~Copyable, Sendable {
    private var inflater: Inflater
    /// Whether the deflate stream has ended, and no byte was read after its end.
    private var hasEnded = false
    /// Whether a byte of this message was read.
    private var hasBegun = false
    private let resetsEachMessage: Bool

    init(_ agreement: PerMessageDeflate.Agreement) throws(CompressionError) {
        self.inflater = try Inflater(.raw, windowBits: agreement.serverWindowBits)
        self.resetsEachMessage = agreement.serverNoContextTakeover
    }

    /// Prepares the inflater for the next message.
    mutating func begin() {
        self.hasBegun = false
        guard self.resetsEachMessage else { return }
        self.inflater.reset()
        self.hasEnded = false
    }

    /// Inflates a part of a message and appends the result.
    ///
    /// The returned status is never `ended`.
    ///
    /// RFC 7692 §7.2.3.4: a deflate block may have BFINAL set, and more blocks may follow in the message. After such a
    /// block, zlib ends its stream, so this method begins a new stream for the next bytes. The new stream cannot refer
    /// to earlier bytes. It need not: a sender that uses `Z_FINISH` to set BFINAL begins a new stream, too.
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

    /// Ends a message.
    ///
    /// Call this method after all output of the message was written.
    ///
    /// RFC 7692 §7.2.2: the receiver appends `00 00 FF FF` to the payload. These bytes end an empty stored block that
    /// the sender began, so they must produce no output. Two payloads need no such end: an empty payload, and a payload
    /// that ends with BFINAL. They violate §7.2.1, but their meaning is clear.
    ///
    /// - Returns: `true` if the message was complete.
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
