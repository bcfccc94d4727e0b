// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import Testing

@testable import TernHTTP2

@Suite("RepeatedFields")
struct RepeatedFieldsTests {
    @Test
    func `a field is found only in its place`() {
        var fields = RepeatedFields()
        fields.append("a", "b", 62)
        fields.append("c", "d", 2)
        fields.beginBlock()
        #expect(fields.index("c", "d") == nil)
        #expect(fields.index("a", "b") == 62)
        #expect(fields.index("a", "b") == nil)
        #expect(fields.index("c", "d") == 2)
        #expect(fields.index("e", "f") == nil)
        fields.beginBlock()
        for (name, value) in [("a", "c"), ("b", "b"), ("", "ab"), ("ab", "")] {
            #expect(fields.index(name, value) == nil)
        }
        fields.append("e", "f", 3)  // in place of both
        fields.beginBlock()
        #expect(fields.index("e", "f") == 3)
        #expect(fields.index("c", "d") == nil)
        fields.removeAll()
        #expect(fields.index("e", "f") == nil)
    }

    @Test
    func `its memory is bounded`() {
        var fields = RepeatedFields()
        for _ in 0..<100 { fields.append("name", String(repeating: "v", count: 100), 62) }
        #expect(fields.byteCount <= RepeatedFields.maximumByteCount)
        fields.append("n", String(repeating: "v", count: 10_000), 63)
        #expect(fields.byteCount <= RepeatedFields.maximumByteCount)
    }
}

extension RepeatedFields {
    fileprivate mutating func index(_ name: String, _ value: String) -> Int? {
        withViews(name, value) { self.index(ofName: $0, value: $1) }
    }

    fileprivate mutating func append(_ name: String, _ value: String, _ index: Int) {
        withViews(name, value) { self.append(name: $0, value: $1, index: index) }
    }
}

private func withViews<Result>(_ name: String, _ value: String, _ body: (ByteView, ByteView) -> Result) -> Result {
    Array(name.utf8).withUnsafeBytes { name in
        Array(value.utf8).withUnsafeBytes { value in body(ByteView(name), ByteView(value)) }
    }
}
