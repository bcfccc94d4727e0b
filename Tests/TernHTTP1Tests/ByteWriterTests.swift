// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernHTTP1

@Suite("ByteWriter")
struct ByteWriterTests {
    private static func written(capacity: Int = 64, _ body: (inout ByteWriter) -> Void) -> String {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count = bytes.withUnsafeMutableBytes { buffer in
            var writer = ByteWriter(buffer, position: 0)
            body(&writer)
            return writer.position
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test(arguments: [0, 1, 9, 10, 11, 99, 100, 1_000_000, 1_234_567_890_123, .max - 1, .max])
    func `lengths are written in base 10`(_ value: Int64) {
        #expect(Self.written { $0.write(decimal: value) } == String(value))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 255, 256, 0xABCDEF, .max])
    func `sizes are written in base 16`(_ value: Int) {
        #expect(Self.written { $0.write(hexadecimal: value) } == String(value, radix: 16))
    }

    @Test
    func `every power of two is written in base 16`() {
        for shift in 0..<63 {
            #expect(Self.written { $0.write(hexadecimal: 1 << shift) } == String(1 << shift, radix: 16))
            #expect(Self.written { $0.write(hexadecimal: (1 << shift) - 1) } == String((1 << shift) - 1, radix: 16))
        }
    }

    @Test
    func `pieces follow each other`() {
        let text = Self.written { writer in
            writer.write("GET")
            writer.write(UInt8(ascii: " "))
            writer.write(String("/index"))
            Array("?q".utf8).withUnsafeBytes { writer.write($0) }
            writer.write(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        #expect(text == "GET /index?q")
    }

    @Test
    func `a span can be filled to its last byte`() {
        #expect(Self.written(capacity: 4) { $0.write("abcd") } == "abcd")
        #expect(Self.written(capacity: 4) { $0.write(String("abcd")) } == "abcd")
    }

    @Test
    func `nothing is written past the end, even where assertions are off`() async {
        await #expect(processExitsWith: .failure) {
            var bytes: [UInt8] = [0, 0]
            bytes.withUnsafeMutableBytes { buffer in
                var writer = ByteWriter(buffer, position: 0)
                writer.write("abc")
            }
        }
    }
}
