// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("Transfer codings that are not supported")
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
        "gzip, chunked", "x-gzip, chunked", "deflate, chunked", "xyz", "gzip", "chunkedchunked", "chunked, gzip",
        "chunked;q=1", "\"chunked\"", "identity, xyz, chunked", "xyz\r\nTransfer-Encoding: chunked",
    ])
    func `the head of a response with another coding says so`(_ value: String) throws {
        #expect(try Self.head(value).hasUnsupportedTransferCoding)
        #expect(try Self.head(value, version: "1.0").hasUnsupportedTransferCoding)
        #expect(try Self.head(value, status: 502, to: .connect).hasUnsupportedTransferCoding)
    }

    @Test(arguments: ["chunked", "CHUNKED", "identity", "Identity, chunked", "chunked, chunked", "", ", ,"])
    func `chunked and identity are supported`(_ value: String) throws {
        #expect(try !Self.head(value).hasUnsupportedTransferCoding)
    }

    @Test(arguments: ["gzip, chunked", "xyz", "chunkedchunked"])
    func `a response without a body has no coding`(_ value: String) throws {
        #expect(try !Self.head(value, to: .head).hasUnsupportedTransferCoding)
        #expect(try !Self.head(value, status: 204).hasUnsupportedTransferCoding)
        #expect(try !Self.head(value, status: 304).hasUnsupportedTransferCoding)
        #expect(try !Self.head(value, to: .connect).hasUnsupportedTransferCoding)
    }
}
