// SPDX-License-Identifier: Apache-2.0

internal import TernCompression

struct MessageInflater: ~Copyable, Sendable {
    private var inflater: Inflater
    private var hasEnded = false
    private var hasBegun = false
    private let resetsEachMessage: Bool

    init(_ agreement: PerMessageDeflate.Agreement) throws(CompressionError) {
        self.inflater = try Inflater(.raw, windowBits: agreement.serverWindowBits)
        self.resetsEachMessage = agreement.serverNoContextTakeover
    }

    mutating func begin() {
        self.hasBegun = false
        guard self.resetsEachMessage else { return }
        self.inflater.reset()
        self.hasEnded = false
    }

    /// Inflates a part of a message; after a block with BFINAL (RFC 7692 §7.2.3.4), which `Z_FINISH` creates, begins a new stream.
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

    /// Returns whether a message was complete: the appended `00 00 FF FF` (RFC 7692 §7.2.2) must produce no output.
    ///
    /// An empty payload, and one that ends with BFINAL, violate §7.2.1, but their meaning is clear.
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
