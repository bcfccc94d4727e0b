// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import Testing

@Suite("HTTP1Limits")
struct ResponseDecoderLimitsTests {
    @Test
    func `the defaults are those that are documented`() {
        let limits = HTTP1Limits()
        #expect(limits.maximumHeadByteCount == 262_144)
        #expect(limits.maximumFieldCount == 1000)
        #expect(limits.maximumTrailerByteCount == 16_384)
        #expect(limits.maximumChunkLineByteCount == 4_096)
        #expect(limits.maximumExcessChunkFramingByteCount == 16_384)
        #expect(limits.maximumInformationalCount == 32)
    }

    @Test
    func `a head may be as long as the default and no longer`() throws {
        let frame = "HTTP/1.1 204\r\nA: \r\n\r\n"
        let room = 262_144 - frame.utf8.count
        func text(_ count: Int) -> String { "HTTP/1.1 204\r\nA: \(String(repeating: "a", count: count))\r\n\r\n" }
        #expect(try DecoderRun(text(room)).isComplete)
        #expect(throws: HTTP1Violation.headTooLong(limit: 262_144)) { try DecoderRun(text(room + 1)) }
    }

    @Test
    func `1000 fields are accepted and 1001 are not`() throws {
        func text(_ count: Int) -> String { "HTTP/1.1 204\r\n\(String(repeating: "A: b\r\n", count: count))\r\n" }
        #expect(try DecoderRun(text(1000)).head?.fields.count == 1000)
        #expect(throws: HTTP1Violation.tooManyFields(limit: 1000)) { try DecoderRun(text(1001)) }
    }

    @Test
    func `no limit lets in more fields than HTTPFields can hold`() throws {
        var limits = HTTP1Limits()
        (limits.maximumFieldCount, limits.maximumHeadByteCount) = (.max, .max)
        func bytes(_ count: Int) -> [UInt8] {
            Array("HTTP/1.1 204\r\n\(String(repeating: "A:\r\n", count: count))\r\n".utf8)
        }
        let head = try #require(try DecoderRun(bytes(65_534), limits: limits).head)
        #expect(head.fields.makeHTTPFields().count == 65_534)
        #expect(throws: HTTP1Violation.tooManyFields(limit: 65_534)) { try DecoderRun(bytes(65_535), limits: limits) }
    }

    @Test(arguments: [0, -1, Int.min])
    func `a limit below 1 lets in nothing, and does not trap`(value: Int) {
        // A chunk of one byte may have 18 bytes of framing.
        let extended = "1;\(String(repeating: "a", count: 20))\r\nx\r\n"
        let text = "HTTP/1.1 102\r\n\r\nHTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n\(extended)0\r\nA: b\r\n\r\n"
        #expect(throws: Never.self) { try DecoderRun(text) }
        let limits: [WritableKeyPath<HTTP1Limits, Int>] = [
            \.maximumHeadByteCount, \.maximumFieldCount, \.maximumTrailerByteCount, \.maximumChunkLineByteCount,
            \.maximumExcessChunkFramingByteCount, \.maximumInformationalCount,
        ]
        for limit in limits {
            var changed = HTTP1Limits()
            changed[keyPath: limit] = value
            #expect(throws: HTTP1Violation.self, "\(limit)") { try DecoderRun(Array(text.utf8), limits: changed) }
        }
    }

    @Test
    func `32 interim responses are accepted and 33 are not`() throws {
        func text(_ count: Int) -> String {
            String(repeating: "HTTP/1.1 102\r\n\r\n", count: count) + "HTTP/1.1 204\r\n\r\n"
        }
        #expect(try DecoderRun(text(32)).events.count == 34)
        #expect(throws: HTTP1Violation.tooManyInformationalResponses(limit: 32)) { try DecoderRun(text(33)) }
    }

    @Test
    func `limits of nothing refuse everything`() {
        var limits = HTTP1Limits()
        limits.maximumHeadByteCount = 0
        #expect(throws: HTTP1Violation.headTooLong(limit: 0)) { try DecoderRun([0x48], limits: limits) }
        limits = HTTP1Limits()
        limits.maximumFieldCount = 0
        let bytes = Array("HTTP/1.1 204\r\nA: b\r\n\r\n".utf8)
        #expect(throws: HTTP1Violation.tooManyFields(limit: 0)) { try DecoderRun(bytes, limits: limits) }
    }
}
