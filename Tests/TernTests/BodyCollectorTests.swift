// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import Testing

@testable import Tern

@Suite("Gathering a body in memory")
struct BodyCollectorTests {
    private static let long = 5 << 20

    /// Returns bytes whose pattern fits no power of two, so that misplaced bytes differ.
    private static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](0..<251)
        while bytes.count < count { bytes += bytes }
        return [UInt8](bytes.prefix(count))
    }

    @Test(
        arguments: [nil, 0, 10, Int64(long - 1), Int64(long), Int64(long + 1), 100 << 20, .max] as [Int64?],
        [0, 1, 1000, long]
    )
    func `the body is what came, whatever was announced`(announced: Int64?, count: Int) {
        let body = Self.bytes(count)
        var collector = BodyCollector(announced: announced, limit: .max)
        for start in stride(from: 0, to: count, by: 300_000) {
            collector.append(ByteBuffer(bytes: body[start..<min(start + 300_000, count)]))
        }
        #expect(collector.byteCount == count)
        #expect(collector.finish() == Data(body))
    }

    @Test(arguments: [0, 1000, long, long + 1]) func `a limit is no end`(limit: Int) {
        let body = Self.bytes(Self.long + 1)
        var collector = BodyCollector(announced: nil, limit: limit)
        for start in stride(from: 0, to: body.count, by: 700_000) {
            collector.append(ByteBuffer(bytes: body[start..<min(start + 700_000, body.count)]))
        }
        #expect(collector.finish() == Data(body))
    }

    #if os(Linux)
    @Test(arguments: [
        (Int64(long), 0, true), (nil, long, true), (Int64(4 << 20) - 1, long, false), (nil, (4 << 20) - 1, false),
        (.max, long, false),
    ])
    func `only a long body moves to large pages, after its first 2 MiB`(
        announced: Int64?,
        limit: Int,
        moves: Bool
    ) {
        var collector = BodyCollector(announced: announced, limit: limit)
        collector.append(ByteBuffer(repeating: 7, count: (2 << 20) - 1))
        #expect(!collector.hasMoved)
        collector.append(ByteBuffer(repeating: 8, count: 1))
        #expect(collector.hasMoved == moves)
        #expect(collector.finish() == Data(repeating: 7, count: (2 << 20) - 1) + [8])
    }

    @Test(arguments: [-1, .max, .max - (4 << 20)]) func `no memory is reserved for an absurd length`(maximum: Int) {
        #expect(BodyMemory(maximumByteCount: maximum) == nil)
    }

    @Test(arguments: [1, 4096, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, long])
    func `no bytes are taken beyond the maximum length`(count: Int) throws {
        let body = Self.bytes(count)
        let memory = try #require(BodyMemory(maximumByteCount: count))
        let isTaken = body.withUnsafeBytes { bytes in
            [
                memory.append(UnsafeRawBufferPointer(rebasing: bytes[..<(count - 1)])),
                memory.append(UnsafeRawBufferPointer(rebasing: bytes[(count - 1)...])),
                memory.append(UnsafeRawBufferPointer(rebasing: bytes[..<1])),
            ]
        }
        #expect(isTaken == [true, true, false])
        #expect(memory.finish() == Data(body))
    }

    @Test func `memory without bytes is empty data`() throws {
        #expect(try #require(BodyMemory(maximumByteCount: 1 << 30)).finish().isEmpty)
    }

    @Test func `the data owns the memory, and copies of it can change`() throws {
        let body = Self.bytes(Self.long)
        func collected() throws -> Data {
            let memory = try #require(BodyMemory(maximumByteCount: 1 << 30))
            #expect(body.withUnsafeBytes { memory.append($0) })
            return memory.finish()
        }
        let data = try collected()
        var copy = data
        copy[0] ^= 0xFF
        copy.append(1)
        #expect(data == Data(body))
        #expect(copy.count == body.count + 1 && copy.first == body[0] ^ 0xFF && copy.last == 1)
    }
    #endif
}
