// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import NIOCore
import Testing

@testable import Tern

extension BodyCollectorTests {
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
}
#endif
