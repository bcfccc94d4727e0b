// SPDX-License-Identifier: Apache-2.0
import TernCompression
import TestSupport
import Testing

@Suite("Content codecs")
struct CodecDecoderTests {
    private static let text = Array(
        """
        The Arctic tern sees more daylight than any other creature: it follows the summer from pole to pole. A tern that \
        lives for thirty years flies the distance to the moon and back, three times.
        """.utf8
    )

    private static let samples: [[UInt8]] = [
        [], [0x61], text, Array(repeatElement(text, count: 400).joined()), [UInt8](repeating: 0, count: 60_000),
        noise(200_000),
    ]

    /// Bytes that do not become shorter.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x7E12_1E5D
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    @Test(arguments: Codec.allCases)
    func `content comes back, however it and the room are cut`(_ codec: Codec) throws {
        for sample in Self.samples {
            let compressed = try codec.compress(sample)
            for (piece, room) in [(Int.max, 65_536), (1, 65_536), (Int.max, 7), (3, 5), (1000, 1)] {
                let decoded = try Decoded(compressed, codec, pieceByteCount: piece, roomByteCount: room)
                #expect(decoded.violation == nil)
                #expect(decoded.bytes == sample, "\(sample.count) bytes in pieces of \(piece), room for \(room)")
            }
        }
    }

    @Test(arguments: Codec.allCases)
    func `no split changes the content`(_ codec: Codec) throws {
        let compressed = try codec.compress(Self.text)
        for pieces in everySplit(of: compressed) {
            #expect(try Decoded(pieces, codec).bytes == Self.text)
        }
    }

    @Test(arguments: Codec.allCases)
    func `content without a byte is empty`(_ codec: Codec) throws {
        #expect(try Decoded([], codec) == Decoded([[]], codec))
        #expect(try Decoded([], codec).violation == nil)
    }

    @Test(arguments: Codec.allCases)
    func `content that was cut short is incomplete`(_ codec: Codec) throws {
        let compressed = try codec.compress(Self.text)
        for count in 1..<compressed.count {
            #expect(try Decoded(Array(compressed.prefix(count)), codec).violation == .truncated)
        }
    }

    @Test(arguments: Codec.allCases)
    func `damaged content ends in a violation or as other content, the same for each piece size`(
        _ codec: Codec
    ) throws {
        let compressed = try codec.compress(Self.text)
        for index in compressed.indices {
            for bit in 0..<8 {
                var damaged = compressed
                damaged[index] ^= 1 << bit
                let limits = InflationLimits(maximumByteCount: 1 << 20)
                let whole = try Decoded(damaged, codec, limits: limits)
                let bytewise = try Decoded(damaged, codec, limits: limits, pieceByteCount: 1)
                #expect(whole.violation == bytewise.violation)
                if whole.violation == nil { #expect(whole.bytes == bytewise.bytes) }
            }
        }
    }

    @Test func `bytes after the end of Brotli are refused`() throws {
        let compressed = try Codec.brotli.compress(Self.text)
        for pieces in everySplit(of: compressed + [0]) {
            let decoded = try Decoded(pieces, .brotli)
            #expect(decoded.violation == .corrupt(message: "bytes follow its end"))
            #expect(decoded.bytes == Self.text)
        }
    }

    @Test func `frames of Zstandard are joined, and frames to skip are skipped`() throws {
        let frame = try Codec.zstandard.compress(Self.text)
        let skipped: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        for pieces in everySplit(of: frame + skipped + frame) {
            let decoded = try Decoded(pieces, .zstandard)
            #expect(decoded.violation == nil && decoded.bytes == Self.text + Self.text)
        }
    }

    @Test func `bytes after a frame of Zstandard that begin no frame are refused`() throws {
        let frame = try Codec.zstandard.compress(Self.text)
        for pieces in everySplit(of: frame + [1, 2, 3, 4, 5, 6, 7, 8]) {
            #expect(try Decoded(pieces, .zstandard).violation == .corrupt(message: ""))
        }
    }

    @Test(arguments: 0x22...0x27 as ClosedRange<UInt8>)
    func `a frame of a format from before version 1 is refused`(_ number: UInt8) throws {
        let frame = try Codec.zstandard.compress(Self.text)
        for pieces in everySplit(of: [number] + frame.dropFirst()) {
            #expect(try Decoded(pieces, .zstandard).violation == .corrupt(message: ""))
        }
    }

    @Test func `a frame of Zstandard that needs a dictionary is refused`() throws {
        // A frame with the dictionary 5 and one byte of content (RFC 8878 §3.1.1).
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x21, 5, 1, 0x09, 0, 0, 0x61]
        #expect(
            try Decoded(frame, .zstandard).violation
                == .corrupt(message: "it needs a dictionary, which the client does not have")
        )
    }

    @Test func `a window of more than 8 MiB is refused`() throws {
        let content = [UInt8](repeating: 0x61, count: 100_000)
        let limits = InflationLimits(maximumRatio: nil)
        let allowed = try Codec.zstandard(content, windowBits: 23)
        #expect(try Decoded(allowed, .zstandard, limits: limits).bytes == content)
        let refused = try Decoded(try Codec.zstandard(content, windowBits: 24), .zstandard, limits: limits)
        #expect(refused.violation == .corrupt(message: "it needs a window of more than 8 MiB"))
        #expect(refused.bytes.isEmpty)
    }
}
