// SPDX-License-Identifier: Apache-2.0
internal import CBrotli
public import TernCompression

extension ContentCodec {
    /// Brotli, whose name in HTTP is `br` (RFC 7932), decompressed by the system's `libbrotlidec`.
    ///
    /// The window of each such coding takes up to about 16 MiB of memory, the most that the format allows. The limits of
    /// `inflationLimits` apply as for gzip.
    public static let brotli = ContentCodec(token: "br", joinsStreams: false) { () throws(CompressionError) in
        try BrotliDecompressor()
    }
}

/// Decompresses one Brotli stream.
///
/// `@unchecked Sendable`: one owner has the pointer, and uses it only in a `mutating` function or `deinit`.
struct BrotliDecompressor: Decompressor, ~Copyable, @unchecked Sendable {
    private let state: OpaquePointer

    init() throws(CompressionError) {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(self.state) }

    mutating func decompress(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Inflater.Progress {
        let (result, consumedByteCount) = self.step(input, into: &output)
        let status: Inflater.Status
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: status = .ended
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: status = output.freeCapacity == 0 ? .needsOutput : .needsInput
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: status = .needsOutput
        default: throw self.violation
        }
        return Inflater.Progress(consumedByteCount: consumedByteCount, status: status)
    }

    private func step(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) -> (BrotliDecoderResult, consumedByteCount: Int) {
        input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { buffer, initializedByteCount in
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[initializedByteCount...])
                var (inputCount, outputCount) = (source.count, room.count)
                var nextInput = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var nextOutput = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let result = BrotliDecoderDecompressStream(
                    self.state,
                    &inputCount,
                    &nextInput,
                    &outputCount,
                    &nextOutput,
                    nil
                )
                initializedByteCount += room.count - outputCount
                return (result, source.count - inputCount)
            }
        }
    }

    private var violation: ContentViolation {
        let code = BrotliDecoderGetErrorCode(self.state)
        // The numbers of the errors for a failed allocation.
        if -30 ... -21 ~= code.rawValue { return .outOfMemory }
        // The number of the error would depend on the pieces of the input.
        return .corrupt(message: "")
    }
}
