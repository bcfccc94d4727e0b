// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TernCompression

/// Tests input that is passed to zlib in slices.
///
/// zlib counts with 32 bits, so it needs slices for more input. The tests use small slices.
@Suite("ZlibStream")
struct ZlibStreamTests {
    @Test(arguments: [1, 2, 3, 7, 100], [Deflater.Flush.sync, .finish])
    func `what is compressed in slices is the same`(_ sliceByteCount: Int, _ flush: Deflater.Flush) throws {
        for sample in Sample.allCases {
            let bytes = sample.bytes()
            var whole = try Deflater(.zlib)
            let expected = whole.all(bytes, flush: flush)
            for cuts in [Cuts(), Cuts(roomByteCount: 1), Cuts(pieceByteCount: 10, roomByteCount: 10)] {
                var deflater = try Deflater(.zlib)
                deflater.stream.maximumSliceByteCount = sliceByteCount
                expectEqual(deflater.all(bytes, flush: flush, cuts), expected)
                #expect(deflater.all([], flush: flush, cuts).isEmpty)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 100], Sample.allCases)
    func `what is decompressed in slices is the same`(_ sliceByteCount: Int, _ sample: Sample) throws {
        let compressed = try Deflater.whole(sample.bytes(), .gzip)
        for cuts in Cuts.all {
            var inflater = try Inflater(.gzip)
            inflater.stream.maximumSliceByteCount = sliceByteCount
            let result = Inflated(compressed + [1, 2, 3], &inflater, cuts)
            expectEqual(result.bytes, sample.bytes())
            #expect(result.hasEnded)
            if cuts.pieceByteCount > compressed.count + 3 { #expect(result.restByteCount == 3) }
        }
    }
}
