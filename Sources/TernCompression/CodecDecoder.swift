// SPDX-License-Identifier: Apache-2.0

/// Decodes content of one ``ContentCodec``.
///
/// The same content always gives the same output or a violation, however it is split into pieces. A library may find
/// damage before it has returned the content before the damage. So if content is both damaged and too long, the pieces
/// determine which of the two is reported, and how much of the content precedes it. Empty content is accepted, because
/// servers also name a coding in responses without content.
package struct CodecDecoder: StreamDecoder, ~Copyable {
    private let joinsStreams: Bool
    private var decompressor: LimitedDecompressor<AnyDecompressor>
    /// Whether the content may end here: no stream has begun, or the last one has ended.
    private var isBetweenStreams = true
    private var hasBegun = false
    private var violation: ContentViolation?

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - codec: The coding to decode.
    ///   - limits: The limits for the output.
    /// - Throws: ``CompressionError`` if there is not enough memory.
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

/// Decodes a stream of content, piece by piece.
package protocol StreamDecoder: ~Copyable, Sendable {
    /// Decodes `input`, and appends the result to `output`.
    ///
    /// - Parameters:
    ///   - input: The next encoded bytes. May be empty, to fetch output that did not fit before.
    ///   - output: The destination.
    /// - Returns: The number of consumed bytes, and whether the decoder needs more input or more room to continue.
    /// - Throws: `ContentViolation`. Every later call throws the same error.
    mutating func decode(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> ContentDecoder.Progress

    /// Ends the content, and checks that it is complete.
    ///
    /// - Throws: `ContentViolation`.
    func finish() throws(ContentViolation)
}

extension ContentDecoder: StreamDecoder {}
