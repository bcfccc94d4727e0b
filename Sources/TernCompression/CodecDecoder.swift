// SPDX-License-Identifier: Apache-2.0

/// Decodes content of one ``ContentCodec``; empty content is valid.
///
/// The same content gives the same output, or a violation, however it is split. If it is both damaged and too long, the split may
/// decide which of the two the violation reports.
package struct CodecDecoder: StreamDecoder, ~Copyable {
    private let joinsStreams: Bool
    private var decompressor: LimitedDecompressor<AnyDecompressor>
    private var isBetweenStreams = true
    private var hasBegun = false
    private var violation: ContentViolation?

    package init(_ codec: ContentCodec, limits: InflationLimits = InflationLimits()) throws(CompressionError) {
        self.joinsStreams = codec.joinsStreams
        self.decompressor = LimitedDecompressor(try codec.makeDecompressor(), limits: limits)
    }

    package mutating func decode(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> ContentDecoder.Progress {
        if let violation = self.violation { throw violation }
        do throws(ContentViolation) {
            return try self.decodeAll(input, into: &output)
        } catch {
            self.violation = error
            throw error
        }
    }

    package func finish() throws(ContentViolation) {
        if let violation = self.violation { throw violation }
        guard self.isBetweenStreams else { throw .truncated }
    }

    private mutating func decodeAll(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> ContentDecoder.Progress {
        let before = self.decompressor.receivedByteCount
        while true {
            let consumed = Int(self.decompressor.receivedByteCount - before)
            let rest = input.extracting(droppingFirst: consumed)
            if self.isBetweenStreams {
                if rest.isEmpty { return ContentDecoder.Progress(consumedByteCount: consumed, status: .needsInput) }
                guard self.joinsStreams || !self.hasBegun else {
                    throw .corrupt(message: "bytes follow its end")
                }
                (self.isBetweenStreams, self.hasBegun) = (false, true)
            }
            let status = try self.decompressor.decompress(rest, into: &output)
            let total = Int(self.decompressor.receivedByteCount - before)
            switch status {
            case .needsInput: return ContentDecoder.Progress(consumedByteCount: total, status: .needsInput)
            case .needsOutput: return ContentDecoder.Progress(consumedByteCount: total, status: .needsOutput)
            case .ended: self.isBetweenStreams = true
            case nil: break
            }
        }
    }
}

/// The common part of ``ContentDecoder`` and ``CodecDecoder``: decodes the content of a body piece by piece.
package protocol StreamDecoder: ~Copyable, Sendable {
    /// Decodes `input`, which may be empty to fetch output that did not fit before, and appends the result to `output`; after a
    /// violation, every later call throws the same error.
    mutating func decode(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> ContentDecoder.Progress

    func finish() throws(ContentViolation)
}

extension ContentDecoder: StreamDecoder {}
