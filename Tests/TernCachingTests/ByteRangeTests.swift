// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("Ranges of bytes (RFC 9110 §14)")
struct ByteRangeTests {
    private func range(_ values: String...) -> ByteRange? {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .range, value: value)) }
        return ByteRange(fields)
    }

    /// The examples of RFC 9110 §14.1.2, for a representation of 10,000 bytes.
    @Test(arguments: [
        ("bytes=0-499", 0, 499), ("bytes=500-999", 500, 999), ("bytes=-500", 9500, 9999), ("bytes=9500-", 9500, 9999),
        ("bytes=0-0", 0, 0), ("bytes=9999-", 9999, 9999), ("bytes=-10001", 0, 9999), ("BYTES=0-10000", 0, 9999),
        ("bytes=0-9223372036854775807", 0, 9999), ("bytes=-9223372036854775807", 0, 9999), ("bytes=007-8", 7, 8),
    ])
    func `one range has bounds`(_ text: String, _ first: Int64, _ last: Int64) throws {
        let range = try #require(self.range(text))
        #expect(range.bounds(in: 10_000) == first..<(last + 1))
    }

    @Test(arguments: ["bytes=10000-", "bytes=10000-10001", "bytes=9223372036854775807-", "bytes=-0"])
    func `one that begins behind the end has none`(_ text: String) throws {
        #expect(try #require(self.range(text)).bounds(in: 10_000) == nil)
        #expect(try #require(self.range(text)).bounds(in: 0) == nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=1", "bytes=2-1", "bytes=0-0,1-1", "bytes=0-0,", "items=0-0",
        "bytes =0-0",
        "bytes= 0-0", "bytes=0 -0", "bytes=0- 0", "bytes=+0-0", "bytes=0--0", "bytes=a-", "bytes=0-b", "bytes=0-0-0",
        "bytes==0-0", "bytes=9223372036854775808-", "bytes=0-9223372036854775808", "bytes=\u{FF11}-",
        "bytes=0-0\u{301}",
    ])
    func `anything else is no single range`(_ text: String) {
        #expect(self.range(text) == nil)
    }

    @Test func `two fields are no single range, and none is none`() {
        #expect(self.range("bytes=0-0", "bytes=0-0") == nil)
        #expect(ByteRange([:]) == nil)
    }

    @Test func `the head of a part says which it is, and keeps the rest`() {
        let whole = StoredResponse(
            statusCode: 200,
            fields: [.eTag: "\"a\"", .contentLength: "10", .contentType: "text/plain"],
            requestTime: 0,
            responseTime: 0
        )
        let part = whole.part(2..<5, of: 10)
        #expect(part.statusCode == 206 && part.entityTag == "\"a\"" && part.fields[.contentType] == "text/plain")
        #expect(part.fields[values: .contentLength] == ["3"])
        #expect(part.fields[values: .contentRange] == ["bytes 2-4/10"])
    }
}
