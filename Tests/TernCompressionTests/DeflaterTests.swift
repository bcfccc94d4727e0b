// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

@Suite("Deflater")
struct DeflaterTests {
    static let formats: [CompressionFormat] = [.raw, .zlib, .gzip]
    static let strategies: [DeflateParameters.Strategy] = [.standard, .filtered, .huffmanOnly, .runLength, .fixed]

    @Test(arguments: Self.formats, 9...15)
    func `what is compressed with any parameters can be decompressed`(
        _ format: CompressionFormat,
        _ windowBits: Int
    ) throws {
        let bytes = Sample.mixed.bytes(2400)
        var inflater = try Inflater(format, windowBits: windowBits)
        for memoryLevel in 1...9 {
            for (level, strategy) in (0...9).flatMap({ level in Self.strategies.map { (level, $0) } }) {
                let parameters = DeflateParameters(
                    level: level,
                    windowBits: windowBits,
                    memoryLevel: memoryLevel,
                    strategy: strategy
                )
                inflater.reset()
                let result = Inflated(try Deflater.whole(bytes, format, parameters), &inflater)
                #expect(result.bytes == bytes && result.hasEnded && result.restByteCount == 0, "\(parameters)")
            }
        }
    }

    @Test(arguments: Self.formats, Sample.allCases)
    func `input and output may be cut anywhere`(_ format: CompressionFormat, _ sample: Sample) throws {
        let bytes = sample.bytes()
        for level in [0, 1, 6, 9] {
            let whole = try Deflater.whole(bytes, format, DeflateParameters(level: level))
            for cuts in Cuts.all {
                let cut = try Deflater.whole(bytes, format, DeflateParameters(level: level), cuts)
                // The length of stored blocks depends on the available input. All other output is the same for every
                // cut.
                if level > 0 { expectEqual(cut, whole, "\(cuts.testDescription)") }
                let result = try Inflated(cut, format, cuts)
                #expect(result.bytes == bytes && result.hasEnded && result.violation == nil, "\(cuts.testDescription)")
            }
        }
    }

    @Test
    func `a compressor without room takes and writes nothing, and loses nothing`() throws {
        var deflater = try Deflater(.zlib)
        for flush in [Deflater.Flush.none, .sync, .finish] {
            var nothing: [UInt8] = []
            let progress = nothing.append(room: 0) { output in
                deflater.deflate(ContiguousArray([0x61, 0x62]).span.bytes, flush: flush, into: &output)
            }
            #expect(progress == Deflater.Progress(consumedByteCount: 0, isComplete: false))
        }
        #expect(try Inflated(deflater.all([0x61, 0x62], flush: .finish), .zlib).bytes == [0x61, 0x62])
    }

    @Test
    func `the end is written once`() throws {
        var deflater = try Deflater(.gzip)
        #expect(!deflater.all([1, 2, 3], flush: .finish).isEmpty)
        for flush in [Deflater.Flush.none, .sync, .finish] { #expect(deflater.all([], flush: flush).isEmpty) }
    }

    @Test
    func `input after the end is refused`() async {
        await #expect(processExitsWith: .failure) {
            var deflater = try Deflater(.raw)
            _ = deflater.all([1], flush: .finish)
            _ = deflater.all([2], flush: .finish)
        }
        await #expect(processExitsWith: .failure) {
            var deflater = try Deflater(.raw)
            var bytes: [UInt8] = []
            _ = bytes.append(room: 1) {
                deflater.deflate(ContiguousArray([1, 2, 3]).span.bytes, flush: .finish, into: &$0)
            }
            _ = bytes.append(room: 1) { deflater.deflate(ContiguousArray([4]).span.bytes, flush: .none, into: &$0) }
        }
        await #expect(processExitsWith: .failure) {
            var deflater = try Deflater(.raw)
            var bytes: [UInt8] = []
            _ = bytes.append(room: 1) {
                deflater.deflate(ContiguousArray([1, 2, 3]).span.bytes, flush: .finish, into: &$0)
            }
            while true {
                _ = bytes.append(room: 1) {
                    deflater.deflate(ContiguousArray([4]).span.bytes, flush: .finish, into: &$0)
                }
            }
        }
    }

    @Test(arguments: Self.formats)
    func `after a reset everything begins anew`(_ format: CompressionFormat) throws {
        let bytes = Sample.text.bytes()
        var deflater = try Deflater(format)
        let first = deflater.all(bytes, flush: .finish)
        deflater.reset()
        expectEqual(deflater.all(bytes, flush: .finish), first)
        deflater.reset()
        _ = deflater.all(Sample.random.bytes(), flush: .sync, Cuts(roomByteCount: 1))
        deflater.reset()
        expectEqual(deflater.all(bytes, flush: .finish), first)
    }

    @Test
    func `parameters out of range are refused`() {
        for level in [-1, 10, .min, .max] {
            #expect(throws: CompressionError.levelOutOfRange(level)) {
                _ = try Deflater(.raw, DeflateParameters(level: level))
            }
        }
        for bits in [8, 16, 0, -15, .min, .max] {
            #expect(throws: CompressionError.windowBitsOutOfRange(bits)) {
                _ = try Deflater(.raw, DeflateParameters(windowBits: bits))
            }
        }
        for level in [0, 10, .min, .max] {
            #expect(throws: CompressionError.memoryLevelOutOfRange(level)) {
                _ = try Deflater(.raw, DeflateParameters(memoryLevel: level))
            }
        }
    }
}
