// SPDX-License-Identifier: Apache-2.0
import TernStreams
import TestSupport
import Testing

@Suite("Where an event stream may end")
struct EventBoundaryTests {
    /// Event streams, in which `|` marks each place where the stream may end without losing anything.
    static let streams = [
        "|data:1\n\n|", "|data:1\r\n\r|\n|", "|\n|\r|\n|", "|:\n|: a\n|\n|", "|retry:1\n|\n|", "|x\n|y:1\r|",
        "|id:1\n\n|",
        "|id:1\ndata:2\n:a\n\n|:b\n|", "|event:1\n\n|data\n\n|", "|id:\0\n|", "|\u{FEFF}|\n|",
        "|\u{FEFF}|data:1\n\n|data:2\n",
        "|event\n:a\nretry:1\n\n|retry:\n|",
    ]

    @Test(arguments: streams)
    func `the boundaries are known at every byte`(stream: String) throws {
        var decoder = EventDecoder(maximumEventByteCount: 100)
        var offset = 0
        for part in stream.split(separator: "|", omittingEmptySubsequences: false).dropFirst() {
            #expect(decoder.isAtBoundary, "at byte \(offset)")
            for (index, byte) in part.utf8.enumerated() {
                if index > 0 { #expect(!decoder.isAtBoundary, "at byte \(offset)") }
                _ = try decoder.events(in: [byte])
                offset += 1
            }
        }
        #expect(decoder.isAtBoundary == stream.hasSuffix("|"))
    }
}
