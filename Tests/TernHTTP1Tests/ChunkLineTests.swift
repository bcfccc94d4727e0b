// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import Testing

@testable import TernHTTP1

@Suite("ChunkLine")
struct ChunkLineTests {
    private static func size(_ line: String, from start: Int = 0) throws(HTTP1Violation) -> Int64 {
        let bytes = Array(line.utf8)
        return try ContiguousArray(bytes).span.bytes.withUnsafeBytes { (bytes) throws(HTTP1Violation) in
            try ChunkLine.size(ByteView(bytes), from: start, lineFeed: bytes.count - 1)
        }
    }

    @Test(arguments: [
        ("0\r\n", 0), ("1\r\n", 1), ("9\r\n", 9), ("a\r\n", 10), ("F\r\n", 15), ("10\r\n", 16), ("fF\r\n", 255),
        ("7fffffffffffffff\r\n", Int64.max), ("0000000000000001\r\n", 1), ("5;a\r\n", 5), ("5 ;a=\"b c\"\r\n", 5),
        ("5\t\r\n", 5), ("5;\r\n", 5),
    ])
    func `a size is read`(_ line: String, _ expected: Int64) throws {
        #expect(try Self.size(line) == expected)
    }

    @Test
    func `every hexadecimal digit counts, and nothing else`() {
        for byte in UInt8(0x21)...0x7E where byte != UInt8(ascii: ";") {
            let character = Character(Unicode.Scalar(byte))
            if let value = character.hexDigitValue {
                #expect(throws: Never.self) { try #expect(Self.size("\(character)\r\n") == Int64(value)) }
            } else {
                #expect(throws: HTTP1Violation.invalidChunkSize) { try Self.size("\(character)\r\n") }
                #expect(throws: HTTP1Violation.invalidChunkSize) { try Self.size("1\(character)\r\n") }
            }
        }
    }

    @Test(arguments: [
        ("\r\n", HTTP1Violation.invalidChunkSize), ("x\r\n", .invalidChunkSize), ("5x\r\n", .invalidChunkSize),
        (" 5\r\n", .invalidChunkSize), (";\r\n", .invalidChunkSize), ("5 5\r\n", .invalidChunkExtension),
        ("5;\u{1}\r\n", .invalidChunkExtension), ("5;\u{7F}\r\n", .invalidChunkExtension),
        ("8000000000000000\r\n", .chunkSizeTooLarge), ("00000000000000000\r\n", .chunkSizeTooLarge),
        ("5\n", .bareLineFeed), ("\n", .bareLineFeed), ("5\r\r\n", .bareCarriageReturn),
        ("5;\r;\r\n", .bareCarriageReturn),
    ])
    func `a malformed line is refused`(_ line: String, _ violation: HTTP1Violation) {
        #expect(throws: violation) { try Self.size(line) }
    }

    @Test
    func `a line may start anywhere`() throws {
        #expect(try Self.size("\r\n2a\r\n", from: 2) == 42)
    }
}
