// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
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

    @Test func `a tail with the status 200 continues the file, and never becomes the whole`() async throws {
        let part = Conduct { $0.answerWithStatusOK($1) }
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), later: part)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-"])
        #expect(result.restart == nil && result.byteCount == 100)
        // The same in a later call.
        let folder = try await TransferScene.interrupted(after: 40)
        let later = try TransferScene(later: part, in: folder)
        #expect(try await later.download().resumedByteCount == 40)
        later.expectComplete()
    }

    @Test func `a tail with the status 200 and the digest of the whole continues the file`() async throws {
        var configuration = Client.Configuration()
        configuration.digestChecking = .ifPresent
        let content = RangeServer.content(100)
        let digest = "sha-256=:\(Data(sha256(of: content)).base64EncodedString()):"
        let name = try #require(HTTPField.Name("Repr-Digest"))
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 40),
            later: Conduct { $0.answerWithStatusOK($1) },
            resource: RangeServer(content, [.eTag: "\"v1\"", name: digest]),
            configuration: configuration
        )
        _ = try await scene.download()
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-"])
    }

    @Test func `a tail with the status 200 and no Content-Range is not taken for the whole`() async throws {
        let tail = Conduct { server, request in
            .response(fields: server.fields, bytes: Array(server.content[(request.firstByte ?? 0)...]))
        }
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), tail)
        #expect(try await scene.download().restart == .resourceChanged)
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-", nil])
    }

    @Test func `a part with the status 200 that the request did not ask for ends the call`() async throws {
        let part = Conduct { server, _ in
            .response(
                fields: server.fields.with(.contentRange, server.contentRange(40..<100)),
                bytes: Array(server.content[40...])
            )
        }
        let scene = try TransferScene(later: part)
        let expected = Fault.protocolViolation("RFC 9110 \(RangeViolation.wholeWithRange.section)")
        #expect(await scene.fault(TransferScene.url, .immediate) == expected)
        #expect(try scene.folder.names == [])
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
