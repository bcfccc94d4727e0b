// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("FieldSection as HTTPFields")
struct FieldSectionHTTPFieldsTests {
    private static func fields(_ lines: [UInt8]) throws -> HTTPFields {
        let run = try DecoderRun(Array("HTTP/1.1 204 x\r\n".utf8) + lines + Array("\r\n".utf8))
        return try #require(run.head).fields.makeHTTPFields()
    }

    private static func fields(_ lines: String) throws -> HTTPFields { try Self.fields(Array(lines.utf8)) }

    @Test
    func `no field makes no fields`() throws {
        #expect(try Self.fields("").isEmpty)
    }

    @Test
    func `all fields come in order`() throws {
        let fields = try Self.fields("Server: a\r\nX-Mine: b\r\nserver: c\r\n")
        #expect(fields.map(\.name.canonicalName) == ["server", "x-mine", "server"])
        #expect(fields.map(\.value) == ["a", "b", "c"])
    }

    @Test
    func `a well-known name has its usual spelling, another that of the server`() throws {
        let fields = try Self.fields("CONTENT-type: a\r\nX-mInE: b\r\n")
        #expect(fields.map(\.name.rawName) == ["Content-Type", "X-mInE"])
    }

    @Test
    func `the bytes of a value stay as they are`() throws {
        let value: [UInt8] = [0x61, 0xFF, 0x09, 0xC3, 0x62]
        let fields = try Self.fields(Array("Server: ".utf8) + value + Array("\r\n".utf8))
        let field = try #require(fields.first)
        #expect(field.withUnsafeBytesOfValue { Array($0) } == value)
    }

    @Test
    func `a value is what HTTPTypes would make of the text`() throws {
        let fields = try Self.fields("Server: \ta \t b, c \r\nVary:\r\n")
        #expect(fields == [.server: "a \t b, c", .vary: ""])
    }

    @Test
    func `the most fields a head may have are made`() throws {
        let lines = (0..<200).map { "X-Field-\($0): \($0)\r\n" }.joined()
        let fields = try Self.fields(lines)
        #expect(fields.count == 200)
        #expect(fields.last?.value == "199")
    }
}
