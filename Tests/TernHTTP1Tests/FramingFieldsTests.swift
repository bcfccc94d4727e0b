// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import Testing

@testable import TernHTTP1

@Suite("FramingFields")
struct FramingFieldsTests {
    private static func noticed(_ fields: (String, String)...) -> FramingFields { self.noticed(fields) }

    private static func noticed(_ fields: [(String, String)]) -> FramingFields {
        var framing = FramingFields()
        for (name, value) in fields {
            Array("\(name):\(value)".utf8).withUnsafeBytes { bytes in
                let count = name.utf8.count
                framing.notice(ByteView(bytes), name: 0..<count, value: count + 1..<bytes.count)
            }
        }
        return framing
    }

    @Test
    func `nothing is noticed in nothing`() {
        let framing = Self.noticed()
        #expect(framing.contentLength == nil)
        #expect(framing.contentLengthFault == nil)
        #expect(!framing.hasTransferEncoding)
        #expect(framing.transferEncodingFault == nil)
        #expect(!framing.isChunked)
        #expect(!framing.hasCloseOption)
        #expect(!framing.hasKeepAliveOption)
        #expect(!framing.hasForbiddenTrailer)
        #expect(framing.noticed.isEmpty)
    }

    @Test(arguments: [("0", 0), ("1", 1), (" 42\t", 42), ("007", 7), ("9223372036854775807", Int64.max)])
    func `a length is read`(_ value: String, _ expected: Int64) {
        let framing = Self.noticed(("Content-Length", value))
        #expect(framing.contentLength == expected)
        #expect(framing.contentLengthFault == nil)
    }

    @Test(arguments: ["", " ", "-1", "+1", "1.", "1e3", "0x1", "9223372036854775808", "92233720368547758070", "1 1"])
    func `what is not a length is a fault`(_ value: String) {
        let framing = Self.noticed(("Content-Length", value))
        #expect(framing.contentLength == nil)
        #expect(framing.contentLengthFault == .invalidContentLength)
    }

    @Test
    func `the worst fault of a length stays`() {
        let same = Self.noticed(("content-length", "1"), ("content-length", "1"))
        #expect(same.contentLengthFault == nil)
        #expect(same.contentLength == 1)
        #expect(same.isAmbiguous)
        let other = Self.noticed(("content-length", "1"), ("content-length", "1"), ("content-length", "2"))
        #expect(other.contentLengthFault == .conflictingContentLengths)
        let again = Self.noticed(("content-length", "1, 2"), ("content-length", "1"))
        #expect(again.contentLengthFault == .conflictingContentLengths)
        let invalid = Self.noticed(("content-length", "1, 2"), ("content-length", "x"), ("content-length", "1"))
        #expect(invalid.contentLengthFault == .invalidContentLength)
    }

    @Test(arguments: ["chunked", " Chunked ", ",chunked", "chunked , ,"])
    func `chunked alone is no fault`(_ value: String) {
        let framing = Self.noticed(("Transfer-Encoding", value))
        #expect(framing.isChunked)
        #expect(framing.hasTransferEncoding)
        #expect(framing.transferEncodingFault == nil)
    }

    @Test(arguments: [
        ("", true, false), ("gzip", true, false), ("gzip, chunked", true, true), ("chunked, gzip", true, false),
        ("chunked x", true, false), ("identity", false, false), ("identity, chunked", true, true),
    ])
    func `other codings are ambiguous`(_ value: String, _ isCoded: Bool, _ isChunked: Bool) {
        let framing = Self.noticed(("Transfer-Encoding", value))
        #expect(framing.transferEncodingFault == nil)
        #expect(framing.hasTransferEncoding == isCoded)
        #expect(framing.isChunked == isChunked)
        #expect(framing.isAmbiguous)
    }

    @Test(arguments: ["chunked, chunked", "chunked, identity, Chunked", "chunked,,chunked, chunked"])
    func `chunked twice counts once`(_ value: String) {
        let framing = Self.noticed(("Transfer-Encoding", value))
        #expect(framing.transferEncodingFault == nil)
        #expect(framing.isChunked)
        #expect(framing.isAmbiguous)
        #expect(!framing.namesOtherCoding)
    }

    @Test(arguments: [
        ("chunked", false), ("identity", false), ("", false), (", ,", false), ("gzip", true), ("gzip, chunked", true),
        ("chunked;q=1", true), ("\"chunked\"", true), ("xyz", true), ("chunkedchunked", true), ("x-gzip", true),
        ("identity;x", true),
    ])
    func `a coding other than chunked and identity is noticed`(_ value: String, _ isOther: Bool) {
        #expect(Self.noticed(("Transfer-Encoding", value)).namesOtherCoding == isOther)
    }

    @Test(
        arguments: [
            ("gzip, chunked", [.gzip]), ("x-gzip", [.gzip]), ("DEFLATE , , Chunked", [.deflate]),
            ("deflate, X-Gzip, chunked", [.deflate, .gzip]), ("gzip, identity, gzip, gzip", [.gzip, .gzip, .gzip]),
            ("chunked", []), ("identity", []), ("", []),
        ] as [(String, [TransferCoding])]
    )
    func `known codings are listed in their order`(_ value: String, _ codings: [TransferCoding]) {
        let framing = Self.noticed(("Transfer-Encoding", value))
        #expect(framing.transferCodings == codings.reduce(into: TransferCodings()) { _ = $0.append($1) })
        #expect(!framing.namesUnsupportedCoding)
        // "A recipient MAY combine multiple field lines within a field section that have the same field name" (RFC 9110
        // §5.3).
        let lines = value.split(separator: ",").map { ("transfer-encoding", String($0)) }
        #expect(Self.noticed(lines).transferCodings == framing.transferCodings)
    }

    @Test(arguments: [
        "xyz", "gzip, xyz, chunked", "xyz, gzip, chunked", "compress, chunked", "br, chunked", "gzip;q=1", "\"gzip\"",
        "gzip deflate", "chunked, gzip", "chunked, gzip, deflate", "gzip, gzip, gzip, gzip, chunked", "zip", "gzipp",
    ])
    func `unknown codings, too many and a coding after chunked are not supported`(_ value: String) {
        #expect(Self.noticed(("Transfer-Encoding", value)).namesUnsupportedCoding)
    }

    @Test(arguments: ["gzip, chunked, chunked", "chunked, chunked, gzip", "chunked, gzip, chunked"])
    func `chunked twice beside another coding is a fault`(_ value: String) {
        #expect(Self.noticed(("Transfer-Encoding", value)).transferEncodingFault == .repeatedChunkedCoding)
    }

    @Test
    func `a length beside a coding is ambiguous`() {
        #expect(!Self.noticed(("Content-Length", "1")).isAmbiguous)
        #expect(!Self.noticed(("Transfer-Encoding", "chunked")).isAmbiguous)
        #expect(Self.noticed(("Content-Length", "1"), ("Transfer-Encoding", "chunked")).isAmbiguous)
        #expect(Self.noticed(("Content-Length", "x")).isAmbiguous)
    }

    @Test(arguments: [
        ("close", true, false), ("keep-alive", false, true), ("Keep-Alive, Close", true, true),
        ("upgrade", false, false), ("", false, false), ("\"close\"", false, false), ("close;x", false, false),
        ("close keep-alive", false, false), (" ,\tclose\t, ", true, false),
    ])
    func `the options of a connection are elements of a list`(_ value: String, _ close: Bool, _ keepAlive: Bool) {
        let framing = Self.noticed(("Connection", value))
        #expect(framing.hasCloseOption == close)
        #expect(framing.hasKeepAliveOption == keepAlive)
    }

    @Test(arguments: [
        "Host", "Trailer", "Connection", "Content-Type", "Content-Range", "Content-Length", "Content-Encoding",
        "Transfer-Encoding",
    ])
    func `fields that must not be trailers are noticed`(_ name: String) {
        #expect(Self.noticed((name, "x")).hasForbiddenTrailer)
        #expect(Self.noticed((name.lowercased(), "x")).hasForbiddenTrailer)
        #expect(!Self.noticed(("X-\(name)", "x")).hasForbiddenTrailer)
        #expect(!Self.noticed((String(name.reversed()), "x")).hasForbiddenTrailer)
    }
}
