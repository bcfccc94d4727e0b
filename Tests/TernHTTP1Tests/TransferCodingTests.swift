// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("Transfer codings")
struct TransferCodingTests {
    private static func head(
        _ value: String,
        status: Int = 200,
        version: String = "1.1",
        to method: HTTPRequest.Method = .get
    ) throws -> ResponseHead {
        let text = "HTTP/\(version) \(status) x\r\nTransfer-Encoding: \(value)\r\nContent-Length: 0\r\n\r\n"
        return try #require(try DecoderRun(text, to: method).head)
    }

    @Test(arguments: [
        "xyz", "chunkedchunked", "chunked, gzip", "gzip, xyz, chunked", "gzip, gzip, gzip, gzip, chunked", "br",
        "chunked;q=1", "\"chunked\"", "identity, xyz, chunked", "xyz\r\nTransfer-Encoding: chunked",
    ])
    func `the head of a response with another coding says so`(_ value: String) throws {
        #expect(try Self.head(value).transferCodings.isEmpty)
        #expect(try Self.head(value).hasUnsupportedTransferCoding)
        #expect(try Self.head(value, version: "1.0").hasUnsupportedTransferCoding)
        #expect(try Self.head(value, status: 502, to: .connect).hasUnsupportedTransferCoding)
    }

    @Test(
        arguments: [
            ("gzip, chunked", [.gzip], .chunked), ("x-gzip", [.gzip], .untilClose),
            ("gzip\r\nTransfer-Encoding: deflate, chunked", [.gzip, .deflate], .chunked),
            ("deflate, deflate", [.deflate, .deflate], .untilClose),
        ] as [(String, [TransferCoding], BodyLength)]
    )
    func `the head lists the codings beneath the chunks`(
        _ value: String,
        _ list: [TransferCoding],
        _ length: BodyLength
    ) throws {
        var codings = TransferCodings()
        for coding in list { _ = codings.append(coding) }
        for head in [
            try Self.head(value), try Self.head(value, version: "1.0"), try Self.head(value, status: 206),
            try Self.head(value, status: 502, to: .connect),
        ] {
            #expect(head.transferCodings == codings && head.bodyLength == length)
            #expect(!head.hasUnsupportedTransferCoding && !head.keepsAlive && head.contentLength == nil)
        }
    }

    @Test(arguments: ["chunked", "CHUNKED", "identity", "Identity, chunked", "chunked, chunked", "", ", ,"])
    func `chunked and identity are supported`(_ value: String) throws {
        #expect(try !Self.head(value).hasUnsupportedTransferCoding)
        #expect(try Self.head(value).transferCodings.isEmpty)
    }

    @Test(arguments: ["gzip, chunked", "xyz", "chunkedchunked"])
    func `a response without a body has no coding`(_ value: String) throws {
        for head in [
            try Self.head(value, to: .head), try Self.head(value, status: 204), try Self.head(value, status: 304),
            try Self.head(value, to: .connect),
        ] {
            #expect(!head.hasUnsupportedTransferCoding && head.transferCodings.isEmpty)
        }
    }
}
