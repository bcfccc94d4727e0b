// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import Testing

@testable import TernHTTP1

@Suite("HeadScan")
struct HeadScanTests {
    /// Scans longer and longer beginnings of `text` with the same scan.
    ///
    /// `counts` has the lengths of the beginnings.
    private static func scan(
        _ text: String,
        _ counts: [Int],
        limits: HTTP1Limits = .init()
    ) throws(HTTP1Violation) -> (scan: HeadScan, isComplete: Bool) {
        let bytes = Array(text.utf8)
        var (scan, isComplete) = (HeadScan(), false)
        for count in counts {
            isComplete = try ContiguousArray(bytes).span.extracting(first: count).bytes.withUnsafeBytes {
                (bytes) throws(HTTP1Violation) in
                try scan.scan(ByteView(bytes), limits: limits)
            }
        }
        return (scan, isComplete)
    }

    @Test
    func `nothing has begun before the first byte`() throws {
        let (scan, isComplete) = try Self.scan("HTTP/1.1 200 OK\r\n", [0])
        #expect(!isComplete)
        #expect(!scan.hasBegun)
        #expect(scan.statusLine == nil)
    }

    @Test
    func `a head has begun with its first byte`() throws {
        let (scan, isComplete) = try Self.scan("HTTP/1.1 200 OK\r\n", [0, 1])
        #expect(!isComplete)
        #expect(scan.hasBegun)
    }

    @Test
    func `a status line is read as soon as it is complete`() throws {
        let (scan, isComplete) = try Self.scan("HTTP/1.1 207 Multi\r\nA: b\r\n\r\n", [10, 20])
        let line = try #require(scan.statusLine)
        #expect(!isComplete)
        #expect(line.minorVersion == 1)
        #expect(line.statusCode == 207)
        #expect(line.reasonStart == 13)
    }

    @Test
    func `a head is complete with its empty line`() throws {
        let text = "HTTP/1.1 207 Multi\r\nA: b\r\n\r\n"
        #expect(try !Self.scan(text, [text.utf8.count - 1]).isComplete)
        let (scan, isComplete) = try Self.scan(text + "body", [10, 22, text.utf8.count + 4])
        #expect(isComplete)
        #expect(scan.fields.count == 1)
        #expect(scan.fields.lineStart == text.utf8.count)
    }

    @Test(arguments: 1...5)
    func `another protocol is refused at its first wrong byte`(_ count: Int) {
        let text = "HTTP/".prefix(count - 1) + "x"
        #expect(throws: HTTP1Violation.malformedStatusLine) { try Self.scan(String(text), [count]) }
        #expect(throws: HTTP1Violation.malformedStatusLine) { try Self.scan(String(text), Array(0...count)) }
    }

    @Test
    func `the limit counts the whole head`() throws {
        let text = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
        var limits = HTTP1Limits()
        limits.maximumHeadByteCount = text.utf8.count
        #expect(try Self.scan(text + "more", [text.utf8.count + 4], limits: limits).isComplete)
        limits.maximumHeadByteCount -= 1
        let violation = HTTP1Violation.headTooLong(limit: text.utf8.count - 1)
        #expect(throws: violation) { try Self.scan(text, [text.utf8.count], limits: limits) }
        #expect(throws: violation) { try Self.scan(text, [text.utf8.count - 1], limits: limits) }
        #expect(throws: Never.self) { try Self.scan(text, [text.utf8.count - 2], limits: limits) }
    }

    @Test
    func `every status code of three digits from 100 is read`() throws {
        for code in 0...999 {
            let digits = String(code + 1000).dropFirst()
            let text = "HTTP/1.1 \(digits) x\r\n"
            if code >= 100 {
                #expect(try Self.scan(text, [text.utf8.count]).scan.statusLine?.statusCode == code)
            } else {
                #expect(throws: HTTP1Violation.invalidStatusCode) { try Self.scan(text, [text.utf8.count]) }
            }
        }
    }
}
