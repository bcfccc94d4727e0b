// SPDX-License-Identifier: Apache-2.0
import CBrotliEncoder
import CZstandard
import TernBrotli
import TernCompression
import TernZstandard
import TestSupport
import Testing

/// A codec, and the compressor of the same library.
enum Codec: CaseIterable, Sendable {
    case brotli
    case zstandard

    var codec: ContentCodec {
        switch self {
        case .brotli: .brotli
        case .zstandard: .zstandard
        }
    }

    /// Compresses bytes into one stream.
    func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .brotli:
            var byteCount = max(1024, BrotliEncoderMaxCompressedSize(bytes.count))
            let compressed = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
                let isDone = BrotliEncoderCompress(
                    5,
                    22,
                    BROTLI_MODE_GENERIC,
                    bytes.count,
                    bytes,
                    &byteCount,
                    buffer.baseAddress
                )
                count = isDone == BROTLI_TRUE ? byteCount : 0
            }
            return try #require(compressed.isEmpty ? nil : compressed)
        case .zstandard: return try Self.zstandard(bytes)
        }
    }

    /// Compresses bytes into a Zstandard frame whose window is not limited by the length of the bytes.
    static func zstandard(_ bytes: [UInt8], windowBits: CInt? = nil) throws -> [UInt8] {
        let context = try #require(ZSTD_createCCtx())
        defer { ZSTD_freeCCtx(context) }
        if let windowBits {
            try #require(ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowBits)) == 0)
        }
        var compressed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count) + 64)
        let capacity = compressed.count
        // Without the end in the first call, the library does not know the length, and uses the whole window.
        let byteCount = try compressed.withUnsafeMutableBytes { buffer in
            var to = ZSTD_outBuffer(dst: buffer.baseAddress, size: capacity, pos: 0)
            try bytes.withUnsafeBytes { source in
                var from = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                if windowBits != nil {
                    while from.pos < from.size {
                        try #require(ZSTD_isError(ZSTD_compressStream2(context, &to, &from, ZSTD_e_continue)) == 0)
                    }
                }
                while true {
                    let rest = ZSTD_compressStream2(context, &to, &from, ZSTD_e_end)
                    try #require(ZSTD_isError(rest) == 0)
                    if rest == 0 { break }
                }
            }
            return to.pos
        }
        return Array(compressed.prefix(byteCount))
    }
}

/// The result of decoding content.
struct Decoded: Equatable {
    var bytes: [UInt8] = []
    var violation: ContentViolation?

    /// Decodes pieces, with the same room for the output in each call.
    init(
        _ pieces: some Sequence<ArraySlice<UInt8>>,
        _ codec: Codec,
        limits: InflationLimits = InflationLimits(),
        roomByteCount: Int = 4096
    ) throws {
        var decoder = try CodecDecoder(codec.codec, limits: limits)
        do throws(ContentViolation) {
            for piece in pieces { try self.decode(Array(piece), &decoder, roomByteCount) }
            try decoder.finish()
        } catch {
            self.violation = error
        }
    }

    /// Decodes bytes in pieces of one size.
    init(
        _ bytes: [UInt8],
        _ codec: Codec,
        limits: InflationLimits = InflationLimits(),
        pieceByteCount: Int = .max,
        roomByteCount: Int = 4096
    ) throws {
        let size = min(pieceByteCount, max(bytes.count, 1))
        let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
        try self.init(pieces, codec, limits: limits, roomByteCount: roomByteCount)
    }

    private mutating func decode(
        _ piece: [UInt8],
        _ decoder: inout CodecDecoder,
        _ roomByteCount: Int
    ) throws(ContentViolation) {
        var start = 0
        while true {
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: roomByteCount, alignment: 1)
            defer { room.deallocate() }
            var output = OutputRawSpan(buffer: room, initializedCount: 0)
            defer { self.bytes += room.prefix(output.byteCount) }
            let progress = try decoder.decode(
                ContiguousArray(piece).span.bytes.extracting(droppingFirst: start),
                into: &output
            )
            start += progress.consumedByteCount
            guard progress.status == .needsOutput else { break }
            #expect(output.byteCount == roomByteCount, "full, but there was room")
        }
        #expect(start == piece.count, "input was left")
    }
}
