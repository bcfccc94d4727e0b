// SPDX-License-Identifier: Apache-2.0
import TernCompression
import TestSupport
import Testing

@Suite("Content codecs, limits")
struct CodecLimitsTests {
    private static let cuts = [(Int.max, 4096), (1, 4096), (Int.max, 1), (3, 10), (1000, 1 << 16)]

    @Test(arguments: Codec.allCases)
    func `content may be as long as the limit, and not a byte longer`(_ codec: Codec) throws {
        let content = Array("tern ".utf8) + [UInt8](repeating: 0x61, count: 40) + Array(" tern".utf8)
        let compressed = try codec.compress(content)
        for limit in 0...(content.count + 1) {
            let limits = InflationLimits(maximumByteCount: Int64(limit))
            for (piece, room) in Self.cuts {
                let decoded = try Decoded(compressed, codec, limits: limits, pieceByteCount: piece, roomByteCount: room)
                #expect(decoded.bytes == Array(content.prefix(limit)))
                #expect(decoded.violation == (limit < content.count ? .tooLong(limit: Int64(limit)) : nil))
            }
        }
    }

    @Test(arguments: Codec.allCases)
    func `a bomb is stopped by its ratio`(_ codec: Codec) throws {
        let bomb = try codec.compress([UInt8](repeating: 0, count: 16 << 20))
        #expect(bomb.count < 4096)
        for (piece, room) in [(Int.max, 1 << 16), (1, 1 << 16)] {
            let decoded = try Decoded(bomb, codec, pieceByteCount: piece, roomByteCount: room)
            #expect(decoded.violation == .ratioExceeded(limit: 100))
            #expect(decoded.bytes.count == 1 << 20)
        }
    }

    @Test func `frames of Zstandard count together`() throws {
        let content = Array("one tern, two terns".utf8)
        let frame = try Codec.zstandard.compress(content)
        for limit in [content.count - 1, content.count, 2 * content.count - 1, 2 * content.count] {
            let limits = InflationLimits(maximumByteCount: Int64(limit))
            let decoded = try Decoded(frame + frame, .zstandard, limits: limits)
            #expect(decoded.bytes.count == limit)
            #expect(decoded.violation == (limit < 2 * content.count ? .tooLong(limit: Int64(limit)) : nil))
        }
    }
}
