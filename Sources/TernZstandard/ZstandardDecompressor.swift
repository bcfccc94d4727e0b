// SPDX-License-Identifier: Apache-2.0
internal import CZstandard
public import TernCompression

extension ContentCodec {
    /// Zstandard, whose name in HTTP is `zstd` (RFC 8878), decompressed by the system's `libzstd`.
    ///
    /// The window of each such coding takes up to 8 MiB of memory. A body with a larger one, which servers must not use (RFC 9659),
    /// fails. The limits of `inflationLimits` apply as for gzip.
    public static let zstandard = ContentCodec(token: "zstd", joinsStreams: true) { () throws(CompressionError) in
        try ZstandardDecompressor()
    }
}

/// Decompresses Zstandard frames, one after the other (RFC 8878 §3).
///
/// `@unchecked Sendable`: one owner has the pointer, and uses it only in a `mutating` function or `deinit`.
struct ZstandardDecompressor: Decompressor, ~Copyable, @unchecked Sendable {
    /// The base-2 logarithm of the largest window, of 8 MiB.
    ///
    /// Beyond it, the call throws `ClientError.protocolViolation`.
    private static let maximumWindowBits: CInt = 23

    private let state: OpaquePointer
    private var header = FrameHeader()
    private var mayHaveOutput = false

    init() throws(CompressionError) {
        guard let state = ZSTD_createDCtx() else { throw .outOfMemory }
        let result = ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, Self.maximumWindowBits)
        guard ZSTD_isError(result) == 0 else {
            ZSTD_freeDCtx(state)
            throw .incompatibleLibrary
        }
        self.state = state
    }

    deinit { ZSTD_freeDCtx(self.state) }

    mutating func decompress(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Inflater.Progress {
        // After some calls that can do nothing, the library reports an error.
        guard !input.isEmpty || self.mayHaveOutput else {
            return Inflater.Progress(
                consumedByteCount: 0,
                status: output.freeCapacity == 0 ? .needsOutput : .needsInput
            )
        }
        // The library gets the header alone. If it gets a whole frame in one piece, it checks other rules.
        let headerByteCount = try self.header.receive(input)
        var (result, consumedByteCount) = (1, 0)
        if headerByteCount > 0 {
            (result, consumedByteCount) = self.step(input.extracting(first: headerByteCount), into: &output)
        }
        if ZSTD_isError(result) == 0, result != 0, consumedByteCount == headerByteCount {
            let rest = input.extracting(droppingFirst: headerByteCount)
            if !rest.isEmpty || self.mayHaveOutput {
                let (next, byteCount) = self.step(rest, into: &output)
                (result, consumedByteCount) = (next, consumedByteCount + byteCount)
            }
        }
        guard ZSTD_isError(result) == 0 else { throw Self.violation(result) }
        let isFull = output.freeCapacity == 0
        self.mayHaveOutput = isFull && result != 0
        if result == 0 { self.header = FrameHeader() }  // another frame may follow
        return Inflater.Progress(
            consumedByteCount: consumedByteCount,
            status: result == 0 ? .ended : isFull ? .needsOutput : .needsInput
        )
    }

    private func step(_ input: RawSpan, into output: inout OutputRawSpan) -> (result: Int, consumedByteCount: Int) {
        input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { buffer, initializedByteCount in
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[initializedByteCount...])
                var from = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                var to = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                let result = ZSTD_decompressStream(self.state, &to, &from)
                initializedByteCount += to.pos
                return (result, from.pos)
            }
        }
    }

    private static func violation(_ result: Int) -> ContentViolation {
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_memory_allocation: .outOfMemory
        // The library's text would depend on the pieces of the input.
        default: .corrupt(message: "")
        }
    }
}
