// SPDX-License-Identifier: Apache-2.0

@_spi(CrossModuleInlining) import TernFields
import TernHTTP1
import Testing

@Suite("NoticedFields")
struct NoticedFieldsTests {
    static let names: [(String, NoticedFields)] = [
        ("Location", .location), ("Content-Encoding", .contentEncoding), ("Set-Cookie", .setCookie),
        ("WWW-Authenticate", .wwwAuthenticate), ("Proxy-Authenticate", .proxyAuthenticate),
        ("Retry-After", .retryAfter),
    ]

    @Test(arguments: names)
    func `a field is noticed in any case`(_ name: String, _ expected: NoticedFields) throws {
        for name in [name, name.lowercased(), name.uppercased()] {
            let run = try DecoderRun("HTTP/1.1 204\r\nServer: x\r\n\(name): x\r\n\r\n")
            #expect(run.head?.noticedFields == expected)
        }
    }

    @Test(arguments: names)
    func `a name of the same length is not noticed`(_ name: String, _: NoticedFields) throws {
        let other = "x" + name.dropFirst()
        let run = try DecoderRun("HTTP/1.1 204\r\n\(other): x\r\n\r\n")
        #expect(run.head?.noticedFields == [])
    }

    @Test
    func `all can be present`() throws {
        let lines = Self.names.map { "\($0.0): x\r\n" }.joined()
        let all = Self.names.reduce(into: NoticedFields()) { $0.formUnion($1.1) }
        #expect(try DecoderRun("HTTP/1.1 204\r\n\(lines)\r\n").head?.noticedFields == all)
    }

    @Test
    func `each has a bit of its own`() {
        let bits = Self.names.map(\.1.rawValue)
        #expect(Set(bits).count == bits.count)
        #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 })
    }
}
