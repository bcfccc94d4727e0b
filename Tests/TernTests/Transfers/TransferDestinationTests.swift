// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernCLibrary
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("The destination of a durable download", .hangLimit)
struct TransferDestinationTests {
    private let scene: TransferScene

    init() throws { self.scene = try TransferScene(.stall(afterBodyByteCount: 40)) }

    /// Downloads to a destination that cannot be used, and checks that the client sends nothing.
    func expectRefusal(
        _ destination: URL,
        _ reason: FileFailure,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let client = self.scene.client
        let error = await failure { () async throws(ClientError) in
            try await client.download(from: testURL, to: destination, resuming: .automatic)
        }
        #expect(error?.ending == Ending(.fileFailed(reason), in: .prepare), sourceLocation: sourceLocation)
        #expect(self.scene.scene.connector.attemptCount == 0, sourceLocation: sourceLocation)
    }

    // MARK: Destinations that cannot be used

    @Test func `a folder is refused`() async throws {
        await self.expectRefusal(self.scene.folder.url, .isDirectory)
        #expect(try self.scene.folder.names == [])
    }

    @Test func `a folder that does not exist is refused`() async throws {
        await self.expectRefusal(self.scene.folder.file("no").appendingPathComponent("file"), .folderNotFound)
        #expect(try self.scene.folder.names == [])
    }

    @Test func `a file instead of the folder is refused`() async throws {
        try self.scene.folder.write("x", to: "a")
        await self.expectRefusal(self.scene.folder.file("a").appendingPathComponent("file"), .folderNotFound)
        #expect(try self.scene.folder.names == ["a"])
    }

    @Test func `a URL that is not a file URL is refused`() async { await self.expectRefusal(testURL, .notAFileURL) }

    @Test func `a device is refused`() async {
        await self.expectRefusal(URL(fileURLWithPath: "/dev/null"), .notAFile)
    }

    @Test func `a name that no file can have is refused`() async throws {
        let name = String(repeating: "🐶", count: 64)
        await self.expectRefusal(self.scene.folder.file(name), .system(errno: ENAMETOOLONG))
        #expect(try self.scene.folder.names == [])
    }

    // MARK: Long names

    @Test(arguments: [
        String(repeating: "n", count: 255), String(repeating: "🐶", count: 63), String(repeating: "ж", count: 127),
        "e" + String(repeating: "\u{301}", count: 120), String(repeating: "n", count: 240),
    ])
    func `a name of the maximum length can be used`(name: String) async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40))
        let destination = scene.folder.file(name)
        _ = await failure { () async throws(ClientError) in
            try await scene.client.download(from: testURL, to: destination, resuming: .manual)
        }
        let names = try scene.folder.names
        #expect(names.count == 2 && names.allSatisfy { $0.utf8.count <= 255 && !$0.contains("\u{FFFD}") })
        let result = try await scene.client.download(from: testURL, to: destination, resuming: .manual)
        #expect(result.resumedByteCount == 40)
        #expect(try scene.folder.names == [name])
        expectEqual(scene.bytes(name), scene.content)
    }

    @Test func `two long names that begin with the same characters have different partial files`() async throws {
        let cut = Conduct.cut(afterBodyByteCount: 40)
        let scene = try TransferScene(cut, cut)
        for end in ["a", "b"] {
            let destination = scene.folder.file(String(repeating: "n", count: 254) + end)
            let error = await failure { () async throws(ClientError) in
                try await scene.client.download(from: testURL, to: destination, resuming: .manual)
            }
            #expect(error?.fault == .truncated(received: 40, expected: 100))
        }
        #expect(try scene.folder.names.count == 4)
    }

    // MARK: Two calls

    @Test func `a second call to the destination fails, until the first has ended`() async throws {
        let scene = self.scene
        let first = Task { try await scene.download() }
        try await scene.scene.server.waitForRequests(1)
        #expect(await scene.failure()?.ending == Ending(.fileFailed(.inUse), in: .prepare))
        #expect(scene.requests.count == 1)
        first.cancel()
        await #expect(throws: ClientError.self) { try await first.value }
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test func `calls one after the other never find the destination in use`() async throws {
        let resource = RangeServer(RangeServer.content(1000))
        let scene = try TransferScene(later: .cut(afterBodyByteCount: 1), resource: resource)
        for byteCount in 1...300 {
            let fault = await scene.fault()
            #expect(fault == .truncated(received: 1, expected: 1001 - Int64(byteCount)))
            if case .fileFailed? = fault { return }
        }
    }

    @Test func `two calls to different destinations do not disturb each other`() async throws {
        let scene = self.scene
        let first = Task { try await scene.download() }
        try await scene.scene.server.waitForRequests(1)
        let other = scene.folder.file("other")
        _ = try await scene.client.download(from: testURL, to: other, resuming: .automatic)
        expectEqual(scene.bytes("other"), scene.content)
        first.cancel()
        _ = await first.result
    }
}
