// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernHTTP1

@Suite("ChunkFraming")
struct ChunkFramingTests {
    @Test
    func `chunks of one byte leave no excess`() throws {
        var framing = ChunkFraming()
        for _ in 0..<1000 { try framing.add(lineByteCount: 3, size: 1, limit: 0) }
        #expect(framing.excessByteCount == 0)
    }

    @Test
    func `what lines take beyond their due adds up, and data pays for it`() throws {
        var framing = ChunkFraming()
        try framing.add(lineByteCount: 100, size: 1, limit: 200)
        #expect(framing.excessByteCount == 84)
        try framing.add(lineByteCount: 100, size: 1, limit: 200)
        #expect(framing.excessByteCount == 168)
        try framing.add(lineByteCount: 3, size: 30, limit: 200)
        #expect(framing.excessByteCount == 97)
        try framing.add(lineByteCount: 18, size: .max, limit: 200)
        #expect(framing.excessByteCount == 0)
    }

    @Test
    func `the limit is allowed and no more`() {
        var framing = ChunkFraming()
        #expect(throws: Never.self) { try framing.add(lineByteCount: 26, size: 1, limit: 10) }
        #expect(throws: HTTP1Violation.excessiveChunkFraming(limit: 10)) {
            try framing.add(lineByteCount: 17, size: 1, limit: 10)
        }
    }

    @Test
    func `plain chunks count the same together as one by one`() throws {
        var (one, together) = (ChunkFraming(), ChunkFraming())
        try one.add(lineByteCount: 200, size: 1, limit: .max)
        try together.add(lineByteCount: 200, size: 1, limit: .max)
        for _ in 0..<3 { try one.add(lineByteCount: 4, size: 16, limit: .max) }
        together.addPlain(count: 3, lineByteCount: 12, dataByteCount: 48)
        #expect(one.excessByteCount == together.excessByteCount)
    }
}
