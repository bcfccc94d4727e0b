// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import HTTPTypes
import Testing

@testable import TernHTTP1

@Suite("FieldScan")
struct FieldScanTests {
    /// Scans longer and longer beginnings of `text` with the same scan.
    ///
    /// `counts` has the lengths of the beginnings.
    private static func scan(
        _ text: String,
        _ counts: [Int],
        maximumCount: Int = 10
    ) throws(HTTP1Violation) -> (scan: FieldScan, isComplete: Bool) {
        let bytes = Array(text.utf8)
        var (scan, isComplete) = (FieldScan(), false)
        for count in counts {
            isComplete = try ContiguousArray(bytes).span.bytes.withUnsafeBytes { (bytes) throws(HTTP1Violation) in
                try scan.scan(ByteView(bytes), to: count, maximumCount: maximumCount)
            }
        }
        return (scan, isComplete)
    }

    @Test
    func `an empty section is its empty line`() throws {
        let (scan, isComplete) = try Self.scan("\r\nrest", [6])
        #expect(isComplete)
        #expect(scan.count == 0)
        #expect(scan.lineStart == 2)
    }

    @Test
    func `a complete section ends behind its empty line`() throws {
        let (scan, isComplete) = try Self.scan("A: b\r\nC: d\r\n\r\nrest", [18])
        #expect(isComplete)
        #expect(scan.count == 2)
        #expect(scan.lineStart == 14)
    }

    @Test
    func `lines that are complete are not read again`() throws {
        let (scan, isComplete) = try Self.scan("A: b\r\nC: d\r\n\r\n", [8])
        #expect(!isComplete)
        #expect(scan.count == 1)
        #expect(scan.lineStart == 6)
        #expect(scan.searchedEnd == 8)
    }

    @Test
    func `an incomplete line is searched on from where the search ended`() throws {
        let (scan, isComplete) = try Self.scan("A: b\r\nC: d\r\n\r\n", [7, 8, 9, 10])
        #expect(!isComplete)
        #expect(scan.lineStart == 6)
        #expect(scan.searchedEnd == 10)
    }

    @Test
    func `a scan goes on after each byte`() throws {
        let (scan, isComplete) = try Self.scan("A: b\r\nC: d\r\n\r\n", Array(0...14))
        #expect(isComplete)
        #expect(scan.count == 2)
        #expect(scan.lineStart == 14)
    }

    @Test
    func `a fault is told when its line has ended`() throws {
        #expect(try !Self.scan("A b c\r\n", [6]).isComplete)
        #expect(try !Self.scan("A: \0\r\n", [5]).isComplete)
        #expect(throws: HTTP1Violation.invalidFieldName) { try Self.scan("A b c\r\n", [7]) }
        #expect(throws: HTTP1Violation.controlCharacterInFieldValue) { try Self.scan("A: \0\r\n", [5, 6]) }
    }

    @Test
    func `the maximum count is allowed and no more`() throws {
        #expect(try Self.scan("A: b\r\nC: d\r\n\r\n", [14], maximumCount: 2).isComplete)
        #expect(throws: HTTP1Violation.tooManyFields(limit: 1)) {
            try Self.scan("A: b\r\nC: d\r\n\r\n", [14], maximumCount: 1)
        }
    }

    @Test
    func `a field that is dropped counts toward the maximum`() throws {
        let text = "A b: c\r\n d\r\nE: f\r\n\r\n"
        #expect(try Self.scan(text, Array(0...text.utf8.count), maximumCount: 2).isComplete)
        #expect(throws: HTTP1Violation.tooManyFields(limit: 1)) {
            try Self.scan(text, [text.utf8.count], maximumCount: 1)
        }
    }

    @Test
    func `a section keeps what stands before it apart`() throws {
        let bytes = Array("OK\r\nA: b\r\n\r\n".utf8)
        let section = try ContiguousArray(bytes).span.bytes.withUnsafeBytes { (bytes) throws(HTTP1Violation) in
            var scan = FieldScan(start: 4)
            let isComplete = try scan.scan(ByteView(bytes), to: bytes.count, maximumCount: 1)
            #expect(isComplete)
            return scan.section(ByteView(bytes), from: 0)
        }
        #expect(section.prefix == "OK")
        #expect(section.count == 1)
        #expect(section.makeHTTPFields().map(\.value) == ["b"])
    }
}
