// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
@testable import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A request for a durable download", .hangLimit)
struct UnsuitableTransferTests {
    private func error(_ scene: TransferScene, _ request: Request) async -> ClientError? {
        await failure { () async throws(ClientError) in try await scene.download(request) }
    }

    // MARK: Requests that cannot be used

    private static let unsuitable: [(request: Request, problem: UnsuitableRequest)] = [
        (Request(.post, TransferScene.url), .method), (Request(.head, TransferScene.url), .method),
        (Request(.get, TransferScene.url).body(data: Data("x".utf8)), .body),
        (Request(.get, TransferScene.url).header(.range, "bytes=0-"), .range),
        (Request(.get, TransferScene.url).header(.ifRange, "\"a\""), .range),
    ]

    @Test(arguments: unsuitable.indices)
    func `a request that has no ranges is refused before anything is sent`(index: Int) async throws {
        let scene = try TransferScene()
        let (request, problem) = Self.unsuitable[index]
        let expected = Ending(.invalidRequest(.notResumable(problem.wording)), in: .prepare)
        #expect(await self.error(scene, request)?.ending == expected)
        #expect(scene.scene.connector.attemptCount == 0)
        #expect(try scene.folder.names == [])
    }

    @Test func `a URL that is not valid is refused`() async throws {
        let scene = try TransferScene()
        let error = await self.error(scene, Request(.get, "ftp://test/"))
        #expect(error?.fault == .invalidRequest(.unsupportedScheme("ftp")))
        #expect(try scene.folder.names == [])
    }

    // MARK: The limit of the length

    private static func limited(_ byteCount: Int) -> Request {
        var request = Request(.get, TransferScene.url)
        request.options.maximumBodyByteCount = byteCount
        return request
    }

    @Test(arguments: [true, false])
    func `a content over the limit is refused`(announcesLength: Bool) async throws {
        var resource = RangeServer()
        resource.announcesLength = announcesLength
        let scene = try TransferScene(resource: resource)
        let error = await self.error(scene, Self.limited(99))
        guard case .bodyTooLarge(limit: 99, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.response?.status == .ok)
        #expect(scene.requests.count == 1)
        #expect(scene.bytes(TransferScene.file) == nil)
    }

    @Test(arguments: [true, false])
    func `a content of exactly the limit is stored`(announcesLength: Bool) async throws {
        var resource = RangeServer()
        resource.announcesLength = announcesLength
        let scene = try TransferScene(resource: resource)
        #expect(try await scene.download(Self.limited(100)).byteCount == 100)
        scene.expectComplete()
    }

    @Test func `the limit counts the bytes of earlier calls`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        #expect(await self.error(scene, Self.limited(99))?.fault == .bodyTooLarge)
        try scene.expectUnfinished(40)
        #expect(try await scene.download(Self.limited(100)).resumedByteCount == 40)
        scene.expectComplete()
    }
}
