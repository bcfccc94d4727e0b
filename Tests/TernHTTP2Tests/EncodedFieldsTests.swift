// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import Testing

@testable import TernHTTP2

@Suite("EncodedFields")
struct EncodedFieldsTests {
    @Test
    func `a field is found only in its place`() {
        var fields = EncodedFields()
        fields.append("a", "b", [1])
        fields.append("c", "d", [2, 3])
        fields.beginBlock()
        #expect(fields.encoded("c", "d") == nil)
        #expect(fields.encoded("a", "b") == [1])
        #expect(fields.encoded("a", "b") == nil)
        #expect(fields.encoded("c", "d") == [2, 3])
        #expect(fields.encoded("e", "f") == nil)
        fields.beginBlock()
        for (name, value) in [("a", "c"), ("b", "b"), ("", "ab"), ("ab", "")] {
            #expect(fields.encoded(name, value) == nil)
        }
        fields.append("e", "f", [4])  // in place of both
        fields.beginBlock()
        #expect(fields.encoded("e", "f") == [4])
        #expect(fields.encoded("c", "d") == nil)
        fields.removeAll()
        #expect(fields.encoded("e", "f") == nil)
    }

    @Test
    func `its memory is bounded`() {
        var fields = EncodedFields()
        for _ in 0..<100 { fields.append("name", String(repeating: "v", count: 100), [1]) }
        #expect(fields.byteCount <= EncodedFields.maximumByteCount)
        fields.append("n", String(repeating: "v", count: 10_000), [1])
        #expect(fields.byteCount <= EncodedFields.maximumByteCount)
    }
}

extension EncodedFields {
    fileprivate mutating func encoded(_ name: String, _ value: String) -> [UInt8]? {
        var output: [UInt8] = []
        let isFound = Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { value in
                self.encode(name: ByteView(name), value: ByteView(value), into: &output)
            }
        }
        return isFound ? output : nil
    }

    fileprivate mutating func append(_ name: String, _ value: String, _ encoded: [UInt8]) {
        Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { value in
                self.append(name: ByteView(name), value: ByteView(value), encoded: encoded[...])
            }
        }
    }
}
