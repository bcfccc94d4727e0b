// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

@Suite("Deflater.Flush")
struct DeflaterFlushTests {
    /// The last bytes of an empty stored block (RFC 1951 §3.2.4).
    static let mark: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    @Test(arguments: DeflaterTests.formats, Sample.allCases)
    func `all that was given can be read after a sync flush`(_ format: CompressionFormat, _ sample: Sample) throws {
        let bytes = sample.bytes()
        for (level, cuts) in [0, 1, 6, 9].flatMap({ level in Cuts.all.map { (level, $0) } }) {
            var deflater = try Deflater(format, DeflateParameters(level: level))
            let compressed = deflater.all(bytes, flush: .sync, cuts)
            #expect(compressed.suffix(4) == Self.mark[...], "level \(level), \(cuts.testDescription)")
            let result = try Inflated(compressed, format)
            #expect(result.bytes == bytes && !result.hasEnded && result.violation == nil)
        }
    }

    @Test(arguments: 1...9, DeflaterTests.strategies)
    func `the bytes of a sync flush do not depend on the room`(
        _ level: Int,
        _ strategy: DeflateParameters.Strategy
    ) throws {
        let messages = [[0x61], Sample.text.bytes(300), Sample.mixed.bytes(1000), Sample.random.bytes(50)]
        let parameters = DeflateParameters(level: level, memoryLevel: 1, strategy: strategy)
        var whole = try Deflater(.raw, parameters)
        let expected = messages.map { whole.all($0, flush: .sync) }
        for room in 1...40 {
            var deflater = try Deflater(.raw, parameters)
            for (message, expected) in zip(messages, expected) {
                expectEqual(deflater.all(message, flush: .sync, Cuts(roomByteCount: room)), expected, "room \(room)")
            }
        }
    }

    @Test
    func `the output of a sync flush may end anywhere`() throws {
        let bytes = Sample.text.bytes(100)
        var whole = try Deflater(.raw)
        let expected = whole.all(bytes, flush: .sync)
        for first in 1...expected.count {
            var deflater = try Deflater(.raw)
            var result: [UInt8] = []
            let progress = result.append(room: first) {
                deflater.deflate(ContiguousArray(bytes).span.bytes, flush: .sync, into: &$0)
            }
            #expect(progress.isComplete == (first == expected.count), "room for \(first) of \(expected.count)")
            result += deflater.all(Array(bytes.dropFirst(progress.consumedByteCount)), flush: .sync)
            expectEqual(result, expected)
        }
    }

    @Test
    func `a sync flush with nothing new writes nothing`() throws {
        var deflater = try Deflater(.raw)
        #expect(deflater.all([], flush: .sync) == [0x00] + Self.mark)
        for _ in 0..<3 { #expect(deflater.all([], flush: .sync).isEmpty) }
        #expect(deflater.all([0x61], flush: .sync).suffix(4) == Self.mark[...])
        #expect(deflater.all([], flush: .none).isEmpty)
        #expect(deflater.all([], flush: .sync, Cuts(roomByteCount: 1)).isEmpty)
        var nothing: [UInt8] = []
        #expect(nothing.append(room: 0) { deflater.deflate(RawSpan(), flush: .sync, into: &$0) }.isComplete)
    }

    @Test
    func `a sync flush also writes what was given before without a flush`() throws {
        var deflater = try Deflater(.raw)
        var inflater = try Inflater(.raw)
        for message in [Sample.text.bytes(100), [0x61], Sample.text.bytes(100)] {
            var compressed = deflater.all(message, flush: .none)
            compressed += deflater.all([], flush: .sync)
            #expect(compressed.suffix(4) == Self.mark[...])
            expectEqual(Inflated(compressed, &inflater).bytes, message)
        }
    }

    @Test
    func `a flush that was not finished can be given up for more input`() throws {
        let (first, second) = (Sample.text.bytes(200), Sample.random.bytes(40))
        for room in 1...120 {
            for flush in [Deflater.Flush.none, .sync, .finish] {
                var deflater = try Deflater(.zlib)
                var result: [UInt8] = []
                let progress = result.append(room: room) {
                    deflater.deflate(ContiguousArray(first).span.bytes, flush: .sync, into: &$0)
                }
                result += deflater.all(Array(first[progress.consumedByteCount...]) + second, flush: flush)
                result += deflater.all([], flush: .finish)
                try expectEqual(Inflated(result, .zlib).bytes, first + second, "room \(room)")
            }
        }
    }

    @Test(arguments: [1, 6, 9])
    func `what went before helps to compress unless it was forgotten`(_ level: Int) throws {
        let message = Sample.random.bytes(300)
        var deflater = try Deflater(.raw, DeflateParameters(level: level))
        let first = deflater.all(message, flush: .sync)
        let second = deflater.all(message, flush: .sync)
        #expect(second.count < 30 && first.count > 300)
        deflater.reset()
        expectEqual(deflater.all(message, flush: .sync), first)

        var inflater = try Inflater(.raw)
        expectEqual(Inflated(first, &inflater).bytes, message)
        expectEqual(Inflated(second, &inflater).bytes, message)
        inflater.reset()
        #expect(Inflated(second, &inflater).violation == .corrupt(message: "invalid distance too far back"))
    }

    @Test
    func `a mark that was cut off can be put back by the reader`() throws {
        // RFC 7692 §7.2.2 uses such a flush for each message.
        let messages = [Sample.text.bytes(), Sample.random.bytes(), [0x61], Sample.text.bytes()]
        var deflater = try Deflater(.raw)
        var inflater = try Inflater(.raw)
        for message in messages {
            let compressed = deflater.all(message, flush: .sync).dropLast(4)
            expectEqual(Inflated(Array(compressed) + Self.mark, &inflater, Cuts(roomByteCount: 64)).bytes, message)
        }
    }
}
