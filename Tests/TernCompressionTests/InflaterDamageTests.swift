// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

@Suite("Inflater, damaged input")
struct InflaterDamageTests {
    @Test(arguments: KnownVector.all)
    func `input that is cut off has not ended`(_ vector: KnownVector) throws {
        for count in vector.compressed.indices {
            let result = try Inflated(Array(vector.compressed.prefix(count)), vector.format)
            #expect(!result.hasEnded && result.violation == nil)
            #expect(vector.bytes.starts(with: result.bytes))
        }
    }

    @Test(arguments: KnownVector.all, [Cuts(), Cuts(pieceByteCount: 1, roomByteCount: 3)])
    func `a flipped bit is harmless, or noticed if there is a check value`(_ vector: KnownVector, _ cuts: Cuts) throws {
        for position in vector.compressed.indices {
            for bit in 0..<8 {
                var damaged = vector.compressed
                damaged[position] ^= 1 << bit
                let result = try Inflated(damaged, vector.format, cuts)
                guard vector.format != .raw, result.hasEnded else { continue }
                expectEqual(result.bytes, vector.bytes)
                #expect(self.isUnchecked(position, bit, vector), "byte \(position), bit \(bit)")
            }
        }
    }

    /// Returns whether a change of the bit has no effect.
    ///
    /// Such bits are those of gzip's information about the file, and those that fill the last byte of the data.
    private func isUnchecked(_ position: Int, _ bit: Int, _ vector: KnownVector) -> Bool {
        let trailerByteCount = vector.format == .gzip ? 8 : 4
        if position == vector.compressed.count - trailerByteCount - 1 { return true }
        guard vector.format == .gzip, vector.compressed[3] == 0 else { return false }
        return position == 3 ? bit == 0 : 4..<10 ~= position
    }

    @Test(arguments: DeflaterTests.formats, [1, 6])
    func `any bytes are read or refused, and alike however they are cut`(
        _ format: CompressionFormat,
        _ level: Int
    ) throws {
        let compressed = try Deflater.whole(Sample.mixed.bytes(400), format, DeflateParameters(level: level))
        var generator = Xorshift(seed: 3)
        for _ in 0..<300 {
            var damaged = compressed
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let whole = try Inflated(damaged, format, Cuts(roomByteCount: 100_000))
            for cuts in [Cuts(pieceByteCount: 1, roomByteCount: 7), Cuts(pieceByteCount: 5, roomByteCount: 300)] {
                let cut = try Inflated(damaged, format, cuts)
                expectEqual(cut.bytes, whole.bytes)
                #expect(cut.violation == whole.violation && cut.hasEnded == whole.hasEnded)
            }
        }
    }

    @Test
    func `random bytes are read or refused`() throws {
        var generator = Xorshift(seed: 4)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            for format in DeflaterTests.formats {
                let whole = try Inflated(bytes, format, Cuts(roomByteCount: 20_000))
                try expectEqual(Inflated(bytes, format, Cuts(pieceByteCount: 1, roomByteCount: 9)).bytes, whole.bytes)
            }
        }
    }
}
