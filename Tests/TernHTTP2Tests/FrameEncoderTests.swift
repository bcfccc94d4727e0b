// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TernHTTP2

@Suite("FrameEncoder")
struct FrameEncoderTests {
    @Test
    func `frames as RFC 9113 has them`() {
        #expect(Frames.settings([(.enablePush, 0)]) == hex("000006 04 00 00000000 0002 00000000"))
        #expect(Frames.settingsAcknowledgement == hex("000000 04 01 00000000"))
        #expect(Frames.ping(0x0102, isAnswer: true) == hex("000008 06 01 00000000 0000000000000102"))
        #expect(Frames.windowUpdate(5, 0x10203) == hex("000004 08 00 00000005 00010203"))
        #expect(Frames.reset(7, .cancel) == hex("000004 03 00 00000007 00000008"))
        #expect(Frames.goAway(9, .internalError, [65]) == hex("000009 07 00 00000000 00000009 00000002 41"))
        var output: [UInt8] = []
        FrameEncoder.dataHeader(1, byteCount: 0x010203, endsStream: true, into: &output)
        #expect(output == hex("010203 00 01 00000001"))
        output = []
        FrameEncoder.priorityUpdate(3, "u=1", into: &output)
        #expect(output == hex("000007 10 00 00000000 00000003 753d31"))
        #expect(FrameEncoder.preface.count == 24)
    }

    @Test(arguments: [0, 1, 10, 11, 20, 21, 35])
    func `field blocks are cut by the longest frame`(byteCount: Int) {
        var output: [UInt8] = [0xAA]
        let start = FrameEncoder.beginFieldBlock(in: &output)
        let block = (0..<byteCount).map { UInt8($0) }
        output += block
        FrameEncoder.endFieldBlock(from: start, 3, endsStream: true, maximumFrameByteCount: 10, in: &output)
        let frames = WrittenFrame.all(in: Array(output.dropFirst()))
        #expect(frames.flatMap(\.payload) == block)
        #expect(frames.count == max(1, (byteCount + 9) / 10))
        #expect(frames.allSatisfy { $0.header.stream == 3 && $0.payload.count <= 10 })
        for (index, frame) in frames.enumerated() {
            #expect(frame.type == (index == 0 ? .headers : .continuation))
            #expect(frame.header.flags.contains(.endStream) == (index == 0))
            #expect(frame.header.flags.contains(.endHeaders) == (index == frames.count - 1))
        }
    }
}
