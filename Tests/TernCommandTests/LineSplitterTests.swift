// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("Lines of standard input")
struct LineSplitterTests {
    private static func lines(_ pieces: [some Collection<UInt8>]) throws -> [String] {
        var splitter = LineSplitter()
        var lines: [String] = []
        for piece in pieces { lines += try splitter.add(piece) }
        return try lines + [splitter.finish()].compactMap(\.self)
    }

    @Test func `lines are the same however the input is cut`() throws {
        let bytes = Array("one\nzwei äö\r\n\n犬\n\r\nlast".utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(try Self.lines(pieces) == ["one", "zwei äö", "", "犬", "", "last"])
            }
        }
    }

    @Test func `nothing gives no line, and an end of line no second one`() throws {
        #expect(try Self.lines([[UInt8]()]).isEmpty)
        #expect(try Self.lines([Array("a\n".utf8)]) == ["a"])
    }

    @Test(arguments: [[0x61, 0xFF, 0x0A], [0xC3, 0x0A], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `what is no text is refused`(bytes: [UInt8]) {
        #expect { try Self.lines([bytes]) } throws: { ($0 as? CommandFailure)?.outcome == .uploadFailed }
    }

    @Test func `a line without an end does not fill the memory`() throws {
        var splitter = LineSplitter(maximumLineByteCount: 10)
        #expect(try splitter.add(Array("a\nten bytes ".utf8)) == ["a"])
        #expect { try splitter.add([0x61]) } throws: { ($0 as? CommandFailure)?.outcome == .uploadFailed }
    }
}
