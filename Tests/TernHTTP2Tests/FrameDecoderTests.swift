// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
@_spi(CrossModuleInlining) import TernFields
import TestSupport
import Testing

@testable import TernHTTP2

@Suite("RFC 9113 §4: frames")
struct FrameDecoderTests {
    /// The frames in some bytes, with the parts of their content joined.
    private struct Outcome: Equatable {
        enum Item: Equatable {
            case data(FrameHeader, [UInt8])
            case frame(FrameHeader, [UInt8])
            case skipped(FrameHeader)
        }

        var items: [Item] = []
        var violation: HTTP2Violation?

        init(_ pieces: [ArraySlice<UInt8>]) {
            var (decoder, content) = (FrameDecoder(), [UInt8]())
            do throws(HTTP2Violation) {
                for piece in pieces {
                    let (input, end) = (Array(piece), piece.count)
                    var offset = 0
                    while let event = try decoder.next(ContiguousArray(input).span.bytes, &offset) {
                        switch event {
                        case .dataStart: content = []
                        case .data(_, let range):
                            #expect(!range.isEmpty)
                            content += input[range]
                        case .dataEnd(let header, let byteCount):
                            #expect(content.count == byteCount)
                            self.items.append(.data(header, content))
                        case .frame(let header, let payload):
                            self.items.append(.frame(header, decoder.payload(payload, of: input)))
                        case .skipped(let header): self.items.append(.skipped(header))
                        }
                        #expect(decoder.missingByteCount >= 0)
                    }
                    #expect(offset == end)
                    #expect(decoder.bufferedByteCount <= FrameDecoder.maximumPayloadByteCount)
                }
            } catch {
                self.violation = error
            }
        }
    }

    private static let mixed =
        Frames.settings([(.maximumFrameSize, 16_384), (.enablePush, 0)]) + Frames.ping() + Frames.data(1, [1, 2, 3])
        + Frames.data(3, [], endsStream: true) + Frames.data(5, [7, 8], padding: 3) + Frames.data(7, [], padding: 0)
        + Frames.data(7, [], padding: 4) + Frames.frame(FrameType(rawValue: 0xBB), [], 9, [1, 2, 3, 4])
        + Frames.frame(.priority, [], 1, [0, 0, 0, 0, 1]) + Frames.goAway(1, .noError, [65]) + Frames.reset(3)
        + Frames.windowUpdate(0, 7) + Frames.headers(1, [0x88]) + Frames.frame(.continuation, .endHeaders, 1)
        + Frames.settingsAcknowledgement

    @Test
    func `frames are the same, however they are split`() {
        let expected = Outcome([Self.mixed[...]])
        #expect(expected.items.count == 15)
        #expect(expected.items[4] == .data(FrameHeader(.data, .padded, stream: 5, payloadByteCount: 6), [7, 8]))
        #expect(expected.items[7] == .skipped(FrameHeader(FrameType(rawValue: 0xBB), stream: 9, payloadByteCount: 4)))
        #expect(expected.violation == nil)
        for split in everySplit(of: Self.mixed) { #expect(Outcome(split) == expected) }
    }

    @Test(
        arguments: [
            ("004001 00 00 00000001", .frameTooLong), ("ffffff bb 00 00000001", .frameTooLong),
            ("000000 00 00 00000000", .missingStream(.data)), ("000001 01 04 00000000", .missingStream(.headers)),
            ("000005 02 00 00000000", .missingStream(.priority)), ("000004 03 00 00000000", .missingStream(.reset)),
            ("000004 05 00 00000000", .missingStream(.pushPromise)),
            ("000000 09 00 00000000", .missingStream(.continuation)),
            ("000000 04 00 00000001", .unexpectedStream(.settings)),
            ("000008 06 00 00000001", .unexpectedStream(.ping)),
            ("000008 07 00 00000001", .unexpectedStream(.goAway)), ("000003 03 00 00000001", .wrongFrameLength(.reset)),
            ("000005 04 00 00000000", .wrongFrameLength(.settings)),
            ("000006 04 01 00000000", .wrongFrameLength(.settings)),
            ("000007 06 00 00000000", .wrongFrameLength(.ping)), ("000007 07 00 00000000", .wrongFrameLength(.goAway)),
            ("000005 08 00 00000000", .wrongFrameLength(.windowUpdate)), ("000000 00 08 00000001", .excessivePadding),
            ("000001 00 08 00000001 01", .excessivePadding), ("000003 00 08 00000001 03 0000", .excessivePadding),
        ] as [(String, HTTP2Violation)]
    )
    func `what the header forbids is refused before the payload comes`(bytes: String, violation: HTTP2Violation) {
        for split in everySplit(of: hex(bytes)) {
            let outcome = Outcome(split)
            #expect(outcome.violation == violation)
            #expect(outcome.items.isEmpty)
        }
        #expect(violation.scope == .connection)
        #expect(!violation.section.isEmpty && !violation.description.isEmpty)
    }

    @Test
    func `the reserved bit is ignored`() {
        let outcome = Outcome([hex("000000 00 01 80000001")[...]])
        #expect(outcome.items == [.data(FrameHeader(.data, .endStream, stream: 1, payloadByteCount: 0), [])])
    }

    @Test
    func `content is never kept`() throws {
        var (decoder, offset) = (FrameDecoder(), 0)
        let bytes = Frames.data(1, [UInt8](repeating: 7, count: 16_384))
        _ = try decoder.next(ContiguousArray(bytes.prefix(5000)).span.bytes, &offset)
        let event = try decoder.next(ContiguousArray(bytes.prefix(5000)).span.bytes, &offset)
        guard case .data(1, 9..<5000)? = event else { return #expect(Bool(false)) }
        #expect(decoder.bufferedByteCount == 0)
        #expect(decoder.missingByteCount == 16_384 - 4991)
    }

    @Test
    func `padding and priority of HEADERS are not part of the block`() throws {
        for (flags, payload, block) in [
            ([.padded], [2, 0x88, 0, 0], [0x88]), ([.priority], [0, 0, 0, 3, 15, 0x88], [0x88]),
            ([.padded, .priority], [1, 0, 0, 0, 3, 15, 0x88, 0], [0x88]), ([.padded], [0], []), ([], [], []),
        ] as [(FrameHeader.Flags, [UInt8], [UInt8])] {
            let header = FrameHeader(.headers, flags, stream: 1, payloadByteCount: payload.count)
            #expect(try Self.block(header, payload) == block)
        }
        for (flags, payload) in [([.padded], [1]), ([.padded], []), ([.padded, .priority], [3, 0, 0, 0, 0, 0, 0, 0])]
            as [(
                FrameHeader.Flags, [UInt8]
            )]
        {
            let header = FrameHeader(.headers, flags, stream: 1, payloadByteCount: payload.count)
            #expect(throws: HTTP2Violation.self) { try Self.block(header, payload) }
        }
    }

    private static func block(_ header: FrameHeader, _ payload: [UInt8]) throws -> [UInt8] {
        try payload.withUnsafeBytes { Array(payload[try header.fieldBlock(in: .init($0))]) }
    }
}
