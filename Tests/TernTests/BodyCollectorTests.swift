// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import Testing

@testable import Tern

@Suite("Gathering a body in memory")
struct BodyCollectorTests {
    static let long = 5 << 20

    /// Returns bytes whose pattern fits no power of two, so that misplaced bytes differ.
    static func bytes(_ count: Int) -> [UInt8] {
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
}
