// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download from a server that breaks the rules about ranges", .hangLimit)
struct RangeViolationTests {
    @Test(arguments: RangeServer.Lie.allCases)
    func `a part against the rules is not used, and the call begins again`(lie: RangeServer.Lie) async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), .lie(lie))
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-", nil])
        #expect(result.restart == .invalidPart)
        #expect(result.byteCount == 100)
    }

    @Test(arguments: RangeServer.Lie.allCases)
    func `a later call that gets such a part begins again`(lie: RangeServer.Lie) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(.lie(lie), in: folder)
        let result = try await scene.download(TransferScene.url, .manual)
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=40-", nil])
        #expect(result.restart == .invalidPart)
        #expect(result.resumedByteCount == 0)
    }

    @Test(arguments: RangeServer.Lie.allCases)
    func `a second such part ends the call, and a later one continues`(lie: RangeServer.Lie) async throws {
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 40),
            .lie(lie),
            .cut(afterBodyByteCount: 50),
            .lie(lie)
        )
        let expected = Fault.protocolViolation("RFC 9110 \(lie.violation.section)")
        #expect(await scene.fault(TransferScene.url, .immediate) == expected)
        #expect(scene.ranges == [nil, "bytes=40-", nil, "bytes=50-"])
        #expect(scene.bytes(TransferScene.file) == nil)
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test func `a part that the request did not ask for ends the call`() async throws {
        let scene = try TransferScene(Conduct { server, _ in server.part(0..<100) })
        let expected = Fault.protocolViolation("RFC 9110 \(RangeViolation.notRequested.section)")
        #expect(await scene.fault(TransferScene.url, .immediate) == expected)
        #expect(scene.requests.count == 1)
        #expect(try scene.folder.names == [])
    }

    @Test func `a server that sends more than it announced writes nothing after the end`() async throws {
        let long = Conduct { server, request in
            let range = server.contentRange((request.firstByte ?? 0)..<100)
            return server.chunked(RangeServer.content(500_000), .partialContent, [.contentRange: range])
        }
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), long)
        #expect(try await scene.download().restart == .invalidPart)
        scene.expectComplete()
    }
}
