// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

@Suite("RFC 1952: gzip members")
struct MemberConformance {
    /// The expected result of decoding the bytes.
    enum Expectation: Hashable, Sendable {
        case decodes(String)
        case breaks(ContentViolation)
    }

    /// The text `abc` in deflated form.
    ///
    /// Its CRC-32 and its length modulo 2^32 follow, each with the least significant byte first (§2.3.1).
    private static let data: [UInt8] = [0x4B, 0x4C, 0x4A, 0x06, 0x00]
    private static let trailer: [UInt8] = [0xC2, 0x41, 0x24, 0x35, 0x03, 0x00, 0x00, 0x00]

    /// Returns the header of a gzip member: ID1, ID2, CM, FLG, MTIME, XFL, OS (§2.3).
    private static func header(method: UInt8 = 8, flags: UInt8 = 0, time: UInt8 = 0) -> [UInt8] {
        [0x1F, 0x8B, method, flags, time, time, time, time, 0, 255]
    }

    private static func member(_ header: [UInt8]) -> [UInt8] { header + self.data + self.trailer }

    private static func corrupt(_ message: String) -> Expectation { .breaks(.corrupt(message: message)) }

    static let headers: [Vector<Expectation>] = [
        .init("§2.3", "the shortest header", member(header()), .decodes("abc")),
        .init("§2.3.1", "any time", member(header(time: 0xFF)), .decodes("abc")),
        .init("§2.3.1", "FTEXT is only a hint", member(header(flags: 0x01)), .decodes("abc")),
        .init("§2.3.1", "FEXTRA is skipped", member(header(flags: 0x04) + [3, 0, 0x1F, 0x8B, 8]), .decodes("abc")),
        .init("§2.3.1", "FEXTRA may be empty", member(header(flags: 0x04) + [0, 0]), .decodes("abc")),
        .init(
            "§2.3.1",
            "FEXTRA of 65535 bytes would take more",
            member(header(flags: 0x04) + [0xFF, 0xFF]),
            .breaks(.truncated)
        ),
        .init("§2.3.1", "FNAME ends with a zero", member(header(flags: 0x08) + [0x61, 0x00]), .decodes("abc")),
        .init("§2.3.1", "FCOMMENT ends with a zero", member(header(flags: 0x10) + [0xE4, 0x00]), .decodes("abc")),
        .init("§2.3.1", "FNAME without an end", header(flags: 0x08) + data.prefix(4), .breaks(.truncated)),
        .init(
            "§2.3.1",
            "FHCRC is checked",
            member(header(flags: 0x02) + [0x00, 0x00]),
            corrupt("header crc mismatch")
        ),
        .init("§2.3.1", "another method", member(header(method: 7)), corrupt("unknown compression method")),
        .init("§2.3.1.2", "reserved bit 5", member(header(flags: 0x20)), corrupt("unknown header flags set")),
        .init("§2.3.1.2", "reserved bit 6", member(header(flags: 0x40)), corrupt("unknown header flags set")),
        .init("§2.3.1.2", "reserved bit 7", member(header(flags: 0x80)), corrupt("unknown header flags set")),
        .init("§2.3.1", "ID1", [0x1E] + member(header()).dropFirst(), corrupt("incorrect header check")),
        .init("§2.3.1", "ID2", [0x1F, 0x8C] + member(header()).dropFirst(2), corrupt("incorrect header check")),
    ]

    static let members: [Vector<Expectation>] = [
        .init("§2.2", "members follow each other", member(header()) + member(header(flags: 1)), .decodes("abcabc")),
        .init(
            "§2.3.1",
            "CRC32",
            header() + data + [0xC2, 0x41, 0x24, 0x34, 3, 0, 0, 0],
            corrupt("incorrect data check")
        ),
        .init(
            "§2.3.1",
            "ISIZE",
            header() + data + trailer.prefix(4) + [3, 0, 0, 1],
            corrupt("incorrect length check")
        ),
        .init(
            "§2.3.1",
            "each member has its own check values",
            member(header()) + header() + data + trailer.prefix(4) + [6, 0, 0, 0],
            corrupt("incorrect length check")
        ),
        .init(
            "§2.3.1.2",
            "each member has its own flags",
            member(header()) + header(flags: 0x20),
            corrupt("unknown header flags set")
        ),
    ]

    @Test(arguments: headers + members)
    func `a gzip member is decoded or refused, however it is cut`(_ vector: Vector<Expectation>) throws {
        for pieces in everySplit(of: vector.bytes) {
            #expect(try self.outcome(of: pieces) == vector.expected)
        }
    }

    private func outcome(of pieces: [ArraySlice<UInt8>]) throws -> Expectation {
        var decoder = try ContentDecoder(.gzip)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { memory.deallocate() }
        var output = OutputRawSpan(buffer: memory, initializedCount: 0)
        do throws(ContentViolation) {
            for piece in pieces {
                let piece = Array(piece)
                let progress = try decoder.decode(ContiguousArray(piece).span.bytes, into: &output)
                #expect(progress == ContentDecoder.Progress(consumedByteCount: piece.count, status: .needsInput))
            }
            try decoder.finish()
        } catch {
            return .breaks(error)
        }
        return .decodes(String(decoding: memory.prefix(output.byteCount), as: UTF8.self))
    }
}
