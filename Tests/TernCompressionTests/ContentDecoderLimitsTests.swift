// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

@Suite("ContentDecoder, limits")
struct ContentDecoderLimitsTests {
    private static let cuts = [
        Cuts(), Cuts(pieceByteCount: 1), Cuts(roomByteCount: 1), Cuts(pieceByteCount: 1, roomByteCount: 1),
        Cuts(pieceByteCount: 3, roomByteCount: 10), Cuts(roomByteCount: 1 << 16),
    ]

    @Test(arguments: [KnownVector.gzip, .zlib, .dynamic, .fullHeader, .emptyGzip, .fixed, .stored])
    func `content may be as long as the limit, and not a byte longer`(_ vector: KnownVector) throws {
        let coding = vector.format == .gzip ? ContentCoding.gzip : .deflate
        for limit in 0...(vector.bytes.count + 1) {
            let limits = InflationLimits(maximumByteCount: Int64(limit))
            for cuts in Self.cuts {
                let result = try Decoded(vector.compressed, coding, limits: limits, cuts)
                expectEqual(result.bytes, Array(vector.bytes.prefix(limit)))
                #expect(result.violation == (limit < vector.bytes.count ? .tooLong(limit: Int64(limit)) : nil))
            }
        }
    }

    @Test
    func `of a limit and a violation behind it the limit comes first, and the other way round`() throws {
        let encoded = [0x00, 0x02, 0x00, 0xFD, 0xFF, 0x61, 0x62, 0x07, 0x00].map { UInt8($0) }
        for cuts in Self.cuts {
            for (limit, violation) in [
                (1, ContentViolation.tooLong(limit: 1)), (2, .corrupt(message: "invalid block type")),
            ] {
                let limits = InflationLimits(maximumByteCount: Int64(limit))
                let result = try Decoded(encoded, .deflate, limits: limits, cuts)
                #expect(result.violation == violation && result.bytes.count == limit)
            }
        }
    }

    @Test
    func `members count together`() throws {
        let encoded = KnownVector.gzip.compressed + KnownVector.gzip.compressed
        let count = KnownVector.text.count
        for limit in [count - 1, count, 2 * count - 1, 2 * count] {
            for pieces in everySplit(of: encoded) {
                let limits = InflationLimits(maximumByteCount: Int64(limit))
                let result = try Decoded(pieces, .gzip, limits: limits)
                #expect(result.bytes.count == limit)
                #expect(result.violation == (limit < 2 * count ? .tooLong(limit: Int64(limit)) : nil))
            }
        }
    }

    @Test
    func `a bomb is stopped by its ratio`() throws {
        let bomb = try Deflater.whole([UInt8](repeating: 0, count: 8 << 20), .gzip)
        #expect(bomb.count < 9000)
        let result = try Decoded(bomb, .gzip, Cuts(pieceByteCount: 512, roomByteCount: 1 << 16))
        #expect(result.violation == .ratioExceeded(limit: 100))
        #expect(result.bytes.count == 1 << 20)
        #expect(try Decoded(bomb, .gzip, limits: InflationLimits(maximumRatio: nil)).bytes.count == 8 << 20)
        #expect(try Decoded(bomb, .gzip, limits: InflationLimits(maximumRatio: 1032)).violation == nil)
    }

    @Test
    func `little content may be repetitive`() throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        #expect(try Decoded(Deflater.whole(zeros, .gzip), .gzip).violation == nil)
        #expect(try Decoded(Deflater.whole(zeros + [0], .gzip), .gzip).violation == .ratioExceeded(limit: 100))
    }

    @Test
    func `a bomb behind much other data is stopped, too`() throws {
        let random = Sample.random.bytes(20_000)
        let encoded = try Deflater.whole(random, .gzip) + Deflater.whole([UInt8](repeating: 0, count: 8 << 20), .gzip)
        let result = try Decoded(encoded, .gzip)
        #expect(result.violation == .ratioExceeded(limit: 100))
        #expect(result.bytes.count >= 2_000_000 && result.bytes.count <= 100 * encoded.count)
    }

    @Test(arguments: 1...12, [0, 1, 40, 200])
    func `where the ratio is exceeded does not depend on the cuts`(_ ratio: Int, _ floor: Int) throws {
        let limits = InflationLimits(maximumRatio: ratio, ratioFloorByteCount: Int64(floor))
        for format in DeflaterTests.formats {
            let encoded = try Deflater.whole(Sample.mixed.bytes(500), format)
            let coding = format == .gzip ? ContentCoding.gzip : .deflate
            let expected = try Decoded(encoded, coding, limits: limits)
            #expect(expected.bytes.count <= max(floor, ratio * encoded.count))
            if ratio == 12 { #expect(expected.violation == nil) }
            if ratio == 1 { #expect(expected.violation == .ratioExceeded(limit: 1)) }
            for cuts in Self.cuts {
                try expectEqual(Decoded(encoded, coding, limits: limits, cuts), expected)
            }
        }
    }

    @Test
    func `of two limits the one that is reached first is named`() throws {
        let bomb = try Deflater.whole([UInt8](repeating: 0, count: 100_000), .gzip)
        let short = InflationLimits(maximumByteCount: 5000, maximumRatio: 100, ratioFloorByteCount: 6000)
        #expect(try Decoded(bomb, .gzip, limits: short).violation == .tooLong(limit: 5000))
        let steep = InflationLimits(maximumByteCount: 99_999, maximumRatio: 10, ratioFloorByteCount: 6000)
        #expect(try Decoded(bomb, .gzip, limits: steep).violation == .ratioExceeded(limit: 10))
    }

    @Test
    func `limits that make no sense allow nothing or everything`() throws {
        let encoded = KnownVector.gzip.compressed
        let negative = InflationLimits(maximumByteCount: -1)
        #expect(try Decoded(encoded, .gzip, limits: negative).violation == .tooLong(limit: -1))
        let none = InflationLimits(maximumRatio: .min, ratioFloorByteCount: .min)
        #expect(try Decoded(encoded, .gzip, limits: none).violation == .ratioExceeded(limit: .min))
        let huge = InflationLimits(maximumByteCount: .max, maximumRatio: .max, ratioFloorByteCount: 0)
        #expect(try Decoded(encoded, .gzip, limits: huge).violation == nil)
        #expect(try Decoded(KnownVector.emptyGzip.compressed, .gzip, limits: negative).violation == nil)
    }
}
