// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernFields
import TernHTTP1
import Testing

@Suite("ChunkEncoder")
struct ChunkEncoderTests {
    private static func header(_ byteCount: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: ChunkEncoder.maximumHeaderByteCount)
        let count = bytes.withUnsafeMutableBytes { buffer in
            var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
            ChunkEncoder.encodeHeader(byteCount: byteCount, into: &output)
            return output.finalize(for: buffer)
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test(arguments: [1, 9, 10, 15, 16, 17, 255, 256, 4095, 4096, 65535, 65536, 1 << 31, 1 << 52, .max - 1, .max])
    func `a header is the size in base 16 and CRLF`(_ byteCount: Int) {
        #expect(Self.header(byteCount) == "\(String(byteCount, radix: 16))\r\n")
    }

    @Test
    func `trailers stand behind the last chunk, but for those that may not`() throws {
        var fields: HTTPFields = [.contentLength: "1", .authorization: "Basic x", .ifMatch: "*", .eTag: "\"1\""]
        fields.append(HTTPField(name: try #require(HTTPField.Name("Content-Digest")), value: "sha-256=:x:"))
        fields.append(HTTPField(name: try #require(HTTPField.Name("X-Twice")), value: "1"))
        fields.append(HTTPField(name: try #require(HTTPField.Name("X-Twice")), value: "2"))
        let text = String(decoding: ChunkEncoder.lastChunk(with: fields), as: UTF8.self)
        #expect(text == "0\r\nETag: \"1\"\r\nContent-Digest: sha-256=:x:\r\nX-Twice: 1\r\nX-Twice: 2\r\n\r\n")
        #expect(ChunkEncoder.lastChunk(with: [:]) == ChunkEncoder.lastChunk)
        #expect(ChunkEncoder.lastChunk(with: [.cookie: "a=1"]) == ChunkEncoder.lastChunk)
    }

    @Test(arguments: ["Host", "Transfer-Encoding", "TE", "Cookie", "Range", "If-None-Match", "Content-Type", "Expect"])
    func `a field that is needed before the content is not a trailer`(_ name: String) throws {
        #expect(try #require(HTTPField.Name(name)).isAllowedInTrailers == false)
    }

    @Test
    func `a header is appended behind what is there`() {
        var bytes = [UInt8](repeating: 0x2E, count: 8)
        let count = bytes.withUnsafeMutableBytes { buffer in
            var output = OutputRawSpan(buffer: buffer, initializedCount: 2)
            ChunkEncoder.encodeHeader(byteCount: 31, into: &output)
            return output.finalize(for: buffer)
        }
        #expect(count == 6)
        #expect(bytes == Array("..1f\r\n..".utf8))
    }

    @Test
    func `the largest header fills the size announced`() {
        #expect(Self.header(.max).utf8.count == ChunkEncoder.maximumHeaderByteCount)
    }

    @Test
    func `what is encoded can be decoded`() throws {
        var bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let data = [UInt8](repeating: 0x61, count: 300)
        bytes += Self.header(data.count).utf8
        bytes += data
        bytes += ChunkEncoder.dataTerminator
        bytes += ChunkEncoder.lastChunk
        let run = try DecoderRun(bytes)
        #expect(run.body == data)
        #expect(run.isComplete)
        #expect(run.rest.isEmpty)
    }
}
