// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernTesting
import TestSupport
import Testing

/// Tests a small response that ends after each of its bytes, in the head and in the body.
@Suite("A durable download that is cut after each byte", .hangLimit)
struct EveryCutTests {
    private static let resource = RangeServer(RangeServer.content(40))

    /// The cuts: the number of bytes of the response, and the number of bytes of its body among them.
    private static var cuts: [(byteCount: Int, bodyByteCount: Int)] {
        let whole = Self.resource.whole
        return (0...whole.head.count + whole.body.count).map { ($0, max(0, $0 - whole.head.count)) }
    }

    @Test func `the call continues by itself`() async throws {
        for (byteCount, bodyByteCount) in Self.cuts {
            let scene = try TransferScene(.cut(afterByteCount: byteCount), resource: Self.resource)
            let result = try await scene.download()
            scene.expectComplete("after \(byteCount) bytes")
            let range = bodyByteCount > 0 ? "bytes=\(bodyByteCount)-" : nil
            #expect(scene.ranges == (bodyByteCount == 40 ? [nil] : [nil, range]), "after \(byteCount) bytes")
            #expect((result.byteCount, result.resumedByteCount) == (40, 0), "after \(byteCount) bytes")
            #expect(result.restart == nil, "after \(byteCount) bytes")
        }
    }

    @Test func `a second call with another query continues`() async throws {
        for (byteCount, bodyByteCount) in Self.cuts where bodyByteCount < 40 {
            let scene = try TransferScene(.cut(afterByteCount: byteCount), resource: Self.resource)
            #expect(await scene.failure("\(TransferScene.url)?sig=1") != nil, "after \(byteCount) bytes")
            if bodyByteCount > 0 {
                try scene.expectUnfinished(bodyByteCount)
            } else {
                #expect(try scene.folder.names == [], "after \(byteCount) bytes")
            }
            let result = try await scene.download("\(TransferScene.url)?sig=2", .manual)
            scene.expectComplete("after \(byteCount) bytes")
            #expect(scene.sentByteCounts.last == 40 - bodyByteCount, "after \(byteCount) bytes")
            #expect(result.resumedByteCount == Int64(bodyByteCount), "after \(byteCount) bytes")
            #expect(result.restart == nil, "after \(byteCount) bytes")
        }
    }

    @Test func `a part that is cut after each byte is continued, too`() async throws {
        let part = Self.resource.part(10..<40)
        for byteCount in 0...part.head.count + part.body.count {
            let scene = try TransferScene(
                .cut(afterBodyByteCount: 10),
                .cut(afterByteCount: byteCount),
                resource: Self.resource
            )
            _ = try await scene.download()
            scene.expectComplete("after \(byteCount) bytes")
            let received = 10 + max(0, byteCount - part.head.count)
            let last = received == 40 ? [] : ["bytes=\(received)-"]
            #expect(scene.ranges == [nil, "bytes=10-"] + last, "after \(byteCount) bytes")
        }
    }

    @Test(.http1Only("cuts the framing of HTTP/1.1"))
    func `a content without a length that is cut after each byte of its chunk is continued`() async throws {
        var resource = Self.resource
        resource.announcesLength = false
        let whole = resource.whole
        for byteCount in 0...whole.head.count + whole.body.count {
            let scene = try TransferScene(.cut(afterByteCount: byteCount), resource: resource)
            let result = try await scene.download()
            scene.expectComplete("after \(byteCount) bytes")
            #expect((result.byteCount, result.restart) == (40, nil), "after \(byteCount) bytes")
        }
    }
}
