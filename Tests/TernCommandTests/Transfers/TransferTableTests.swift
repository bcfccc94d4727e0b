// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("The live table of transfers")
struct TransferTableTests {
    private static func table(_ names: [String], total: Int64? = 13_100_000) -> TransferTable {
        var table = TransferTable()
        table.counts = TransferCounts([.sample(1, .waiting), .sample(2, .completed)])
        for (index, name) in names.enumerated() {
            let bar = ProgressBar(byteCount: 6_812_000, totalByteCount: total, bytesPerSecond: 4_200_000)
            table.lines.append(TransferTable.Line(id: Int64(index * 8 + 3), name: name, bar: bar))
        }
        return table
    }

    @Test func `each running transfer has a line, and the counts are last`() {
        #expect(
            Self.table(["dog.jpg", "sea.mp4"]).text(width: 79, height: 24) == [
                " 3 dog.jpg   52% [==========>         ]  6.8 of 13.1 MB    4.2 MB/s   0:02 left",
                "11 sea.mp4   52% [==========>         ]  6.8 of 13.1 MB    4.2 MB/s   0:02 left",
                "1 waiting, 1 completed",
            ]
        )
    }

    @Test func `no line is wider than the terminal, and no more lines than fit`() {
        let names = ["a", "a rather long name of a file that does not end.jpg", "写真", "🐶🐶🐶", "a\u{1B}[2J\nb"]
        for width in 0...120 {
            for height in 0...8 {
                for total in [nil, 0, 13_100_000, Int64.max] {
                    var table = Self.table(names, total: total)
                    table.isNetworkAvailable = width % 2 == 0
                    let lines = table.text(width: width, height: height)
                    #expect(lines.count <= max(1, height))
                    for line in lines {
                        #expect(line.reduce(0) { $0 + TerminalText.width(of: $1) } <= width, "\(line)")
                        #expect(!line.unicodeScalars.contains(where: TerminalText.isHarmful))
                    }
                }
            }
        }
    }

    @Test func `the last line says what is not shown`() {
        let lines = Self.table(["a", "b", "c"]).text(width: 79, height: 2)
        #expect(lines.count == 2)
        #expect(lines.last == "1 waiting, 1 completed (2 running ones are not shown)")
    }

    @Test func `the last line says that the network is gone`() {
        var table = Self.table([])
        table.isNetworkAvailable = false
        #expect(table.text(width: 79, height: 24) == ["the network is gone; 1 waiting, 1 completed"])
    }

    @Test func `new lines replace the old ones without erasing the screen first`() {
        var block = TerminalBlock()
        #expect(block.text(["one", "two"]) == "\rone\u{1B}[K\ntwo\u{1B}[K\n\u{1B}[J")
        #expect(block.text(lasting: ["done"], ["three"]) == "\r\u{1B}[2Adone\u{1B}[K\nthree\u{1B}[K\n\u{1B}[J")
        #expect(block.lineCount == 1)
        #expect(block.text([]) == "\r\u{1B}[1A\u{1B}[J")
        #expect(block.text([]) == "\r\u{1B}[J")
    }

    @Test func `lines that another text follows stay`() {
        var block = TerminalBlock()
        _ = block.text(["one"])
        block.leave()
        #expect(block.text(["two"]) == "\rtwo\u{1B}[K\n\u{1B}[J")
    }
}
