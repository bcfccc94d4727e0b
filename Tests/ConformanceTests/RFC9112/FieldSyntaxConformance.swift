// SPDX-License-Identifier: Apache-2.0

import TernHTTP1
import TestSupport
import Testing

@Suite("RFC 9112 §5: field syntax")
struct FieldSyntaxConformance {
    private static func reads(_ rule: String, _ lines: String, _ fields: String...) -> Vector<ResponseExpectation> {
        .init("§5", rule, "HTTP/1.1 204 x\r\n\(lines)\r\n", .decodes("head 204 x, none", "end", fields: fields))
    }

    private static func takes(
        _ section: String,
        _ rule: String,
        _ lines: String,
        _ fields: String...
    ) -> Vector<ResponseExpectation> {
        .init(section, rule, "HTTP/1.1 204 x\r\n\(lines)\r\n", .decodes("head 204 x, none", "end", fields: fields))
    }

    private static func refuses(
        _ section: String,
        _ rule: String,
        _ lines: String,
        _ violation: HTTP1Violation
    ) -> Vector<ResponseExpectation> {
        .init(section, rule, "HTTP/1.1 204 x\r\n\(lines)\r\n", .breaks(violation))
    }

    static let accepted: [Vector<ResponseExpectation>] = [
        reads("no field", ""),
        reads("one field", "Server: tern\r\n", "Server: tern"),
        reads("no white space", "Server:tern\r\n", "Server: tern"),
        reads("white space at both ends", "Server: \t tern \t \r\n", "Server: tern"),
        reads("white space inside", "Server: a \t b\r\n", "Server: a \t b"),
        reads("an empty value", "X-Empty:\r\n", "X-Empty: "),
        reads("a value of blanks", "X-Empty:  \t \r\n", "X-Empty: "),
        reads("a colon in a value", "X-Time: 12:30\r\n", "X-Time: 12:30"),
        reads("obs-text in a value", "X-Name: Zoë\r\n", "X-Name: Zoë"),
        reads("every kind of token byte", "!#$%&'*+-.^_`|~09azAZ: 1\r\n", "!#$%&'*+-.^_`|~09azAZ: 1"),
        reads("a name of one byte", "x: 1\r\n", "x: 1"),
        reads("a name twice, in order", "X-A: 1\r\nx-a: 2\r\n", "X-A: 1", "x-a: 2"),
        reads("a known name in another case", "sErVeR: tern\r\n", "Server: tern"),
        reads("a value of eight bytes", "X: 12345678\r\n", "X: 12345678"),
        reads("a tab among many bytes", "X: 1234567890\t1234567890\r\n", "X: 1234567890\t1234567890"),
    ]

    /// Heads that a sender must not generate, although browsers, curl and Go accept them.
    static let irregular: [Vector<ResponseExpectation>] = [
        takes("§5.2", "obs-fold with a space", "A: b\r\n c\r\n", "A: b   c"),
        takes("§5.2", "obs-fold with a tab", "A: b\r\n\tc\r\n", "A: b   c"),
        takes("§5.2", "obs-fold behind blanks", "A: b\t\r\n\t c\r\n", "A: b     c"),
        takes("§5.2", "obs-fold with nothing", "A: b\r\n \r\n", "A: b"),
        takes("§5.2", "obs-fold before a value", "A:\r\n b\r\n", "A: b"),
        takes("§5.2", "obs-fold that looks like a field", "A: b\r\n C: d\r\n", "A: b   C: d"),
        takes("§5.2", "obs-fold twice, and a field", "A: b\r\n c\r\n d\r\nE: f\r\n", "A: b   c   d", "E: f"),
        takes("§5.2", "obs-fold in LF", "A: b\n c\nE: f\n", "A: b  c", "E: f"),
        takes("§5.2", "a line of blanks, folded often", "A: b\r\n \r\n\t\r\n c\r\n", "A: b         c"),
        takes("§2.2", "a field ended by LF", "A: b\nC: d\r\n", "A: b", "C: d"),
        takes("§2.2", "a value of nothing ended by LF", "A:\nC: d\n", "A: ", "C: d"),
        takes("§5.1", "a space before the colon", "A: b\r\nServer : tern\r\n", "A: b", "Server: tern"),
        takes("§5.1", "a tab before the colon", "Server\t: tern\r\n", "Server: tern"),
        takes("§5.1", "many blanks before the colon", "Server \t :tern\r\n", "Server: tern"),
        takes("§5.1", "all of it at once", "A \t: b\u{1}\n c\r\nE: f\n", "A: b   c", "E: f"),
        takes("§5.5", "BEL in a value", "A: b\u{7}c\r\n", "A: b c"),
        takes("§5.5", "ESC far into a value", "A: 0123456789abcdef\u{1B}[0m\r\n", "A: 0123456789abcdef [0m"),
        takes("§5.5", "DEL in a value", "A: b\u{7F}c\r\n", "A: b c"),
        takes("§5.5", "nothing else in a value", "A: \u{1}\u{2}\r\nC: d\r\n", "A: ", "C: d"),
        takes("§5.1", "a name of two words", "A: b\r\nX-Cache Status: hit\r\nC: d\r\n", "A: b", "C: d"),
        takes("§5.1", "a name of two words and blanks", "A: b\r\nX-Cache Status\t : hit\r\n", "A: b"),
        takes("§5.1", "no other field", "Ser ver: tern\r\n"),
        takes("§5.1", "an empty name", ": tern\r\nA: b\r\n", "A: b"),
        takes("§5.1", "a quoted name", "\"Server\": tern\r\nA: b\r\n", "A: b"),
        takes("§5.1", "a slash in a name", "A: b\r\na/b: c\r\n", "A: b"),
        takes("§5.1", "obs-text in a name", "é: c\r\nA: b\r\n", "A: b"),
        takes("§5.1", "a name of two words, in LF", "X Y: z\nA: b\n", "A: b"),
        takes(
            "§5.1",
            "a dropped field with a fold",
            "A: b\r\nX Y: z\r\n Content-Length: 5\r\nC: d\r\n",
            "A: b",
            "C: d"
        ),
        takes("§5.1", "a fold before a dropped field", "A: b\r\n c\r\nX Y: z\r\n", "A: b   c"),
        takes("§5.1", "colons in the value of a dropped field", "X Y: a:b: c\r\nA: b\r\n", "A: b"),
        takes("§5.1", "a control character in a dropped value", "X Y: a\u{1}b\r\nA: b\u{7}c\r\n", "A: b c"),
        takes("§5.5", "a cookie, for its parser to ignore", "Set-cookie: a=b\u{1}\r\n", "Set-Cookie: a=b\u{1}"),
    ]

    static let refused: [Vector<ResponseExpectation>] = [
        refuses("§5", "no colon", "Server tern\r\n", .invalidFieldName),
        refuses("§5", "a name alone", "Server\r\n", .missingColon),
        refuses("§5.1", "a name and blanks", "Server  \r\n", .invalidFieldName),
        refuses("§5.1", "NUL in a name", "a\0b: c\r\n", .invalidFieldName),
        refuses("§5.1", "DEL in a name", "a\u{7F}: c\r\n", .invalidFieldName),
        refuses("§5.1", "a vertical tab in a name", "a\u{B}b: c\r\n", .invalidFieldName),
        refuses("§5.1", "a name of two words without a colon", "A: b\r\nX-Cache Status\r\n", .invalidFieldName),
        refuses("§5.1", "a name of two words with its colon on the next line", "X Y\r\n : z\r\n", .invalidFieldName),
        refuses("§2.2", "a bare CR after a name of two words", "X Y\rZ: c\r\n", .bareCarriageReturn),
        refuses("§5.5", "NUL in the value of a name of two words", "X Y: \0\r\n", .controlCharacterInFieldValue),
        refuses("§2.2", "a bare CR in the value of a name of two words", "X Y: a\rb\r\n", .bareCarriageReturn),
        refuses("§5.2", "a bare CR in a fold", "A: b\r\n c\rd\r\n", .bareCarriageReturn),
        refuses("§5.2", "NUL in a fold", "A: b\r\n c\0\r\n", .controlCharacterInFieldValue),
        refuses("§2.2", "a bare CR in a value", "A: b\rc\r\n", .bareCarriageReturn),
        refuses("§2.2", "two CRs", "A: b\r\r\n", .bareCarriageReturn),
        refuses("§2.2", "a bare CR in a name", "A\rb: c\r\n", .bareCarriageReturn),
        refuses("§2.2", "a bare CR in a line ended by LF", "A: b\rc\n", .bareCarriageReturn),
        refuses("§2.2", "a name ended by LF", "A\n", .missingColon),
        refuses("§5.5", "NUL in a value", "A: b\0c\r\n", .controlCharacterInFieldValue),
        refuses("§5.5", "NUL as a value", "A:\0\r\n", .controlCharacterInFieldValue),
        refuses("§5.5", "the first fault of a line counts", "A: b\0\rc\r\n", .controlCharacterInFieldValue),
    ]

    @Test(arguments: accepted)
    func `fields are read as they are`(_ vector: Vector<ResponseExpectation>) { vector.check() }

    @Test(arguments: irregular)
    func `what is irregular is read, and nothing follows it`(_ vector: Vector<ResponseExpectation>) {
        vector.check()
        #expect(!ResponseTranscript(of: [vector.bytes[...]], as: vector.expected).isReusable)
    }

    @Test(arguments: refused)
    func `what is not a field line is refused`(_ vector: Vector<ResponseExpectation>) { vector.check() }

    @Test(arguments: (UInt8.min...UInt8.max).filter { ![0x0A, 0x0D].contains($0) })
    func `§5.5 every byte of a value but NUL is read, and nothing follows a control character`(_ byte: UInt8) {
        let bytes = Array("HTTP/1.1 204\r\nA: x".utf8) + [byte] + Array("x\r\n\r\n".utf8)
        let expected: ResponseExpectation =
            byte == 0 ? .breaks(.controlCharacterInFieldValue) : .decodes("head 204, none", "end")
        Vector("§5.5", "byte \(byte)", bytes, expected).check()
        let isText = byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
        #expect(ResponseTranscript(of: [bytes[...]], as: expected).isReusable == isText)
    }

    @Test(arguments: (UInt8.min...UInt8.max).filter { ![0x0A, 0x0D, 0x3A].contains($0) })
    func `§5.1 a field with a byte in its name that is not a token byte is dropped or refused`(_ byte: UInt8) {
        let tokens = Array("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let bytes = Array("HTTP/1.1 204\r\nA: b\r\nx".utf8) + [byte] + Array("x: 1\r\n\r\n".utf8)
        let isControl = (byte < 0x20 && byte != 0x09) || byte == 0x7F
        let isToken = tokens.contains(byte)
        let fields = isToken ? ["A: b", String(decoding: [0x78, byte, 0x78], as: UTF8.self) + ": 1"] : ["A: b"]
        let expected: ResponseExpectation =
            isControl ? .breaks(.invalidFieldName) : .decodes("head 204, none", "end", fields: fields)
        Vector("§5.1", "byte \(byte)", bytes, expected).check()
        #expect(ResponseTranscript(of: [bytes[...]], as: expected).isReusable == isToken)
    }
}
