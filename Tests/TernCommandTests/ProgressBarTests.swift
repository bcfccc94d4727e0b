// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("The line that shows progress")
struct ProgressBarTests {
    static let half = ProgressBar(
        label: "dog.jpg",
        byteCount: 6_812_000,
        totalByteCount: 13_100_000,
        bytesPerSecond: 4_200_000
    )

    static let lines: [(width: Int, text: String)] = [
        (79, "dog.jpg   52% [===========>           ]  6.8 of 13.1 MB    4.2 MB/s   0:02 left"),
        (65, " 52% [=========>        ]  6.8 of 13.1 MB    4.2 MB/s   0:02 left"),
        (45, " 52% [=====>    ]  6.8 of 13.1 MB    4.2 MB/s"),
        (33, " 52% [=====>    ]  6.8 of 13.1 MB"),
        (25, " 52%   6.8 of 13.1 MB"),
        (10, " 52%"),
        (2, " 5"),
        (0, ""),
    ]

    @Test(arguments: lines)
    func `what matters least is left out first`(width: Int, text: String) {
        #expect(Self.half.text(width: width) == text)
    }

    @Test func `it is never wider than the terminal, whatever it says`() {
        for width in 0...200 {
            for byteCount in [0, 1, 999, 13_000_000, Int64.max] {
                for total in [nil, 0, 1, 13_100_000, Int64.max] {
                    var bar = ProgressBar(label: "a rather long name", byteCount: byteCount, totalByteCount: total)
                    #expect(bar.text(width: width).count <= width)
                    bar.bytesPerSecond = 1e12
                    #expect(bar.text(width: width).count <= width)
                    #expect(bar.summary(elapsed: .seconds(100), width: width).count <= width)
                }
            }
        }
    }

    @Test func `it stands still while numbers grow`() {
        let places = [Int64(0), 9_000, 900_000, 9_000_000, 13_100_000].map { byteCount in
            var bar = Self.half
            bar.byteCount = byteCount
            return bar.text(width: 79).prefix { $0 != "]" }.count
        }
        #expect(Set(places).count == 1)
    }

    @Test func `it begins empty and ends full`() {
        var bar = ProgressBar(byteCount: 0, totalByteCount: 1000)
        #expect(bar.text(width: 60).hasPrefix("  0% [>"))
        bar.byteCount = 999
        #expect(bar.text(width: 60).contains(" 99% ["))
        bar.byteCount = 1000
        #expect(bar.text(width: 60).hasPrefix("100% [=="))
        #expect(!bar.text(width: 60).contains(">"))
    }

    @Test func `a body of no bytes is complete`() {
        #expect(ProgressBar(byteCount: 0, totalByteCount: 0).text(width: 60).hasPrefix("100%"))
    }

    @Test func `without a total it shows bytes and rate`() {
        let bar = ProgressBar(label: "dog.jpg", byteCount: 6_812_000, bytesPerSecond: 4_200_000)
        #expect(bar.text(width: 79) == "dog.jpg    6.8 MB    4.2 MB/s")
        #expect(bar.text(width: 20) == "  6.8 MB    4.2 MB/s")
        #expect(bar.text(width: 12) == "  6.8 MB")
    }

    @Test func `without a rate no time is promised`() {
        var bar = Self.half
        bar.bytesPerSecond = nil
        #expect(bar.text(width: 79).hasSuffix("-:-- left"))
        bar.bytesPerSecond = 0
        #expect(bar.text(width: 79).hasSuffix("-:-- left"))
    }

    @Test func `the summary tells size, time and mean rate`() {
        #expect(Self.half.summary(elapsed: .seconds(2), width: 79) == "dog.jpg  6.8 MB in 2.0 s (3.4 MB/s)")
        #expect(Self.half.summary(elapsed: .seconds(2), width: 15) == "6.8 MB in 2.0 s")
    }

    @Test func `a name cannot move the cursor, and is not too long`() {
        #expect(ProgressBar.label("a\u{1B}[2Jb\r\n") == "a?[2Jb?")
        #expect(ProgressBar.label("gpj.\u{202E}\u{2028}exe") == "gpj.??exe")
        #expect(ProgressBar.label(String(repeating: "x", count: 100)).count == 30)
    }
}
