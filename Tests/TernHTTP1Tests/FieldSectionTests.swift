// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("FieldSection")
struct FieldSectionTests {
    private static func section(_ lines: String, status: String = "204 No Content") throws -> FieldSection {
        try #require(try DecoderRun("HTTP/1.1 \(status)\r\n\(lines)\r\n").head).fields
    }

    private static func trailers(_ lines: String) throws -> FieldSection? {
        let run = try DecoderRun("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(lines)\r\n")
        guard case .end(let trailers)? = run.events.last else { return nil }
        return trailers
    }

    @Test
    func `fields are counted, not names`() throws {
        #expect(try Self.section("").isEmpty)
        #expect(try Self.section("").count == 0)
        #expect(try Self.section("A: 1\r\na: 2\r\nB: 3\r\n").count == 3)
        #expect(try !Self.section("A: 1\r\n").isEmpty)
    }

    @Test
    func `a subscript gives the first value`() throws {
        let section = try Self.section("Server: a\r\nserver: b\r\nVary: c\r\n")
        #expect(section[.server] == "a")
        #expect(section[.vary] == "c")
        #expect(section[.date] == nil)
    }

    @Test
    func `values come in order and are not split`() throws {
        let section = try Self.section("Vary: a, b\r\nServer: x\r\nVARY: c\r\nvary:\r\n")
        #expect(section.makeHTTPFields()[values: .vary] == ["a, b", "c", ""])
        #expect(section.makeHTTPFields()[values: .date] == [])
    }

    @Test(arguments: ["x-name", "X-Name", "X-NAME"])
    func `names are found in any case`(_ received: String) throws {
        let section = try Self.section("\(received): v\r\n")
        for asked in ["x-name", "X-Name", "X-NAME"] {
            let name = try #require(HTTPField.Name(asked))
            #expect(section[name] == "v")
        }
    }

    @Test
    func `bytes that differ in bit 5 only are not the same name unless they are letters`() throws {
        let section = try Self.section("a^b: 1\r\na~b: 2\r\n")
        #expect(section[try #require(HTTPField.Name("a~b"))] == "2")
        #expect(section[try #require(HTTPField.Name("a^b"))] == "1")
    }

    @Test
    func `values are trimmed`() throws {
        #expect(try Self.section("Server: \t a b \t\r\n")[.server] == "a b")
        #expect(try Self.section("Server:\r\n")[.server] == "")
    }

    @Test
    func `text that is not UTF-8 is repaired`() throws {
        let bytes = Array("HTTP/1.1 204\r\nServer: ".utf8) + [0x61, 0xFF] + Array("\r\n\r\n".utf8)
        #expect(try DecoderRun(bytes).head?.fields[.server] == "a\u{FFFD}")
    }

    @Test
    func `sections are equal if their bytes are`() throws {
        #expect(try Self.section("A: 1\r\nB: 2\r\n") == Self.section("A: 1\r\nB: 2\r\n"))
        #expect(try Self.section("A: 1\r\nB: 2\r\n") != Self.section("B: 2\r\nA: 1\r\n"))
        #expect(try Self.section("A: 1\r\n") != Self.section("a: 1\r\n"))
        #expect(try Self.section("A: 1\r\n") != Self.section("A: 2\r\n"))
    }

    @Test
    func `a description holds no names and no values`() throws {
        #expect(try Self.section("X-Secret: 42\r\n").description == "1 fields")
    }

    @Test
    func `trailers are a section of their own`() throws {
        let trailers = try #require(try Self.trailers("X-Sum: 1\r\nX-Sum: 2\r\n"))
        #expect(trailers.count == 2)
        #expect(trailers.makeHTTPFields()[values: try #require(HTTPField.Name("x-sum"))] == ["1", "2"])
        #expect(try Self.trailers("") == nil)
    }

    @Test
    func `trailers nobody may act on are dropped, the others kept in order`() throws {
        let trailers = try #require(try Self.trailers("A: 1 \r\nContent-Length: 5\r\nB:2\r\nHost: x\r\nC:\r\n"))
        #expect(trailers.count == 3)
        #expect(trailers.makeHTTPFields().map { "\($0.name)=\($0.value)" } == ["A=1", "B=2", "C="])
        #expect(trailers[.contentLength] == nil)
        #expect(try Self.trailers("Content-Length: 5\r\n") == nil)
    }

    @Test
    func `a field whose name is not a token is not in the section`() throws {
        #expect(try Self.section("A: b\r\nX Y: z\r\nC: d\r\n").count == 2)
        #expect(try Self.section("X Y: z\r\n: z\r\n").isEmpty)
        #expect(try Self.trailers("X Y: z\r\nA: b\r\n")?.count == 1)
        #expect(try Self.trailers("X Y: z\r\n") == nil)
    }
}
