// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TernStreams

@Suite("A byte order mark")
struct ByteOrderMarkTests {
    static let inputs: [[UInt8]] = [
        [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0x61], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0x61],
        [0xEF, 0xEF],
        [0xEF], [0xEF, 0xBB], [0x61], [0xBB, 0xBF], [0x61, 0xEF, 0xBB, 0xBF], [],
    ]

    @Test(arguments: inputs)
    func `one at the start is skipped, however the bytes are split`(input: [UInt8]) {
        let hasMark = input.starts(with: ByteOrderMark.bytes)
        for split in everySplit(of: input) {
            var mark = ByteOrderMark()
            var text: [UInt8] = []
            for chunk in split.map(Array.init) {
                var offset = 0
                if mark.isPossible { text += chunk.withUnsafeBytes { mark.skip(in: $0, from: &offset) } }
                text += chunk[offset...]
            }
            #expect(text + mark.held == (hasMark ? Array(input.dropFirst(3)) : input), "split as \(split.map(\.count))")
        }
    }
}
