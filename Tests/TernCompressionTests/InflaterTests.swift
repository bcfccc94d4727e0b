// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

@Suite("Inflater")
struct InflaterTests {
    @Test(arguments: KnownVector.all)
    func `what others compress is read, however it is cut`(_ vector: KnownVector) throws {
        for cuts in Cuts.all {
            let result = try Inflated(vector.compressed, vector.format, cuts)
            #expect(result.bytes == vector.bytes && result.hasEnded && result.restByteCount == 0)
        }
        for pieces in everySplit(of: vector.compressed) {
            var inflater = try Inflater(vector.format)
            let results = pieces.map { Inflated(Array($0), &inflater) }
            expectEqual(Array(results.map(\.bytes).joined()), vector.bytes)
            #expect(results.map(\.hasEnded) == results.indices.map { $0 == results.count - 1 })
        }
    }

    @Test
    func `what is compressed here is what others compress`() throws {
        #expect(try Deflater.whole(KnownVector.text, .raw) == KnownVector.fixed.compressed)
        #expect(try Deflater.whole(KnownVector.text, .zlib) == KnownVector.zlib.compressed)
        var deflater = try Deflater(.raw)
        let hello = Array("Hello".utf8)
        #expect(
            deflater.all(hello, flush: .sync) == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00, 0x00, 0xFF, 0xFF]
        )
        #expect(deflater.all(hello, flush: .sync) == [0xF2, 0x00, 0x11, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF])
    }

    @Test(arguments: 9...15, DeflaterTests.formats)
    func `a larger window reads what a smaller one wrote`(_ windowBits: Int, _ format: CompressionFormat) throws {
        let bytes = Sample.text.bytes(70_000)
        let compressed = try Deflater.whole(bytes, format, DeflateParameters(windowBits: windowBits))
        for bits in windowBits...15 {
            try expectEqual(Inflated(compressed, format, windowBits: bits, Cuts(roomByteCount: 100)).bytes, bytes)
        }
    }

    @Test(arguments: DeflaterTests.formats)
    func `a window of 8 bits reads what does not look back far`(_ format: CompressionFormat) throws {
        // zlib writes no header for such a small window, so the test writes the header of the zlib format itself: CMF
        // and FCHECK.
        var compressed = try Deflater.whole(KnownVector.text, format, DeflateParameters(windowBits: 9))
        if format == .zlib { compressed.replaceSubrange(0..<2, with: [0x08, 0x1D]) }
        let result = try Inflated(compressed, format, windowBits: 8, Cuts(roomByteCount: 1))
        expectEqual(result.bytes, KnownVector.text)
        #expect(result.hasEnded)
    }

    @Test
    func `a window that is too small is noticed`() throws {
        let result = try Inflated(KnownVector.zlib.compressed, .zlib, windowBits: 14)
        #expect(result.violation == .corrupt(message: "invalid window size"))
        let far = Sample.random.bytes(2000)
        let compressed = try Deflater.whole(far + far, .raw)
        let near = try Inflated(compressed, .raw, windowBits: 9, Cuts(roomByteCount: 100))
        #expect(near.violation == .corrupt(message: "invalid distance too far back"))
        #expect(far.starts(with: near.bytes) && near.bytes.count >= 512)
    }

    @Test(arguments: DeflaterTests.formats)
    func `what follows the end is left`(_ format: CompressionFormat) throws {
        var compressed = try Deflater.whole(KnownVector.text, format)
        let rest = compressed
        compressed += rest
        for cuts in [Cuts(), Cuts(roomByteCount: 1), Cuts(roomByteCount: KnownVector.text.count)] {
            let result = try Inflated(compressed, format, cuts)
            expectEqual(result.bytes, KnownVector.text)
            #expect(result.hasEnded && result.restByteCount == rest.count)
        }
        var inflater = try Inflater(format)
        _ = Inflated(compressed, &inflater)
        let again = Inflated(rest, &inflater)
        #expect(again.hasEnded && again.bytes.isEmpty && again.restByteCount == rest.count)
    }

    @Test
    func `no room is enough to read what writes nothing`() throws {
        var inflater = try Inflater(.gzip)
        let compressed = KnownVector.emptyGzip.compressed
        var nothing: [UInt8] = []
        let progress = try nothing.append(room: 0) { (output) throws(InflateViolation) in
            try inflater.inflate(ContiguousArray(compressed).span.bytes, into: &output)
        }
        #expect(progress == Inflater.Progress(consumedByteCount: 20, status: .ended))
    }

    @Test
    func `a violation comes after what is before it, and stays until a reset`() throws {
        let stored = [0x00, 0x02, 0x00, 0xFD, 0xFF, 0x61, 0x62].map { UInt8($0) }
        var inflater = try Inflater(.raw)
        let result = Inflated(stored + [0x07, 0x00], &inflater)
        #expect(result.bytes == [0x61, 0x62])
        #expect(result.violation == .corrupt(message: "invalid block type"))
        #expect(Inflated(stored, &inflater).violation == result.violation)
        inflater.reset()
        #expect(Inflated(stored, &inflater).bytes == [0x61, 0x62])
    }

    @Test
    func `a preset dictionary is not had`() throws {
        let compressed = KnownVector.bytes("78bb16c004374b81b30016c00437")
        #expect(try Inflated(compressed, .zlib).violation == .needsDictionary)
    }

    @Test
    func `each format refuses the others`() throws {
        #expect(
            try Inflated(KnownVector.zlib.compressed, .gzip).violation == .corrupt(message: "incorrect header check")
        )
        #expect(
            try Inflated(KnownVector.gzip.compressed, .zlib).violation == .corrupt(message: "incorrect header check")
        )
        #expect(try Inflated(KnownVector.gzip.compressed, .raw).violation != nil)
    }

    @Test(arguments: [7, 16, 0, -15, 31, .min, .max])
    func `a window out of range is refused`(_ windowBits: Int) {
        #expect(throws: CompressionError.windowBitsOutOfRange(windowBits)) {
            _ = try Inflater(.raw, windowBits: windowBits)
        }
    }
}
