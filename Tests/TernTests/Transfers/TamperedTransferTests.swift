// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernCLibrary
import TernConnections
import TernErrors
import TernFoundation
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A durable download whose partial file was changed", .hangLimit)
struct TamperedTransferTests {
    @Test(arguments: [0, 1, 39])
    func `a partial file that is too short begins again`(byteCount: UInt64) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.truncate(TransferScene.partial, to: byteCount)
        try await TransferScene.expectRestart(.partialFileChanged, in: folder)
    }

    @Test func `a partial file that is missing begins again`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        try folder.remove(TransferScene.partial)
        try await TransferScene.expectRestart(.partialFileChanged, in: folder)
    }

    @Test(arguments: [1, 60, 5000])
    func `bytes that the record does not claim are not used`(byteCount: Int) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        let bytes = try #require(scene.bytes(TransferScene.partial))
        try scene.overwrite(TransferScene.partial, bytes + [UInt8](repeating: 0, count: byteCount))
        #expect(try await scene.download().resumedByteCount == 40)
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=40-"])
    }

    @Test(arguments: [0, 10, 39])
    func `a checksum finds a file that another program cuts while the call runs`(byteCount: UInt64) async throws {
        let folder = try TemporaryFolder()
        let cutting = Conduct { server, request in
            try? folder.truncate(TransferScene.partial, to: byteCount)
            return server.answer(request)
        }
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), cutting, in: folder)
        let checksum = Checksum(.sha256, sha256(of: scene.content))
        let fault = await scene.fault(TransferScene.url, .immediate, expecting: checksum)
        #expect(fault == .digestFailed(.unexpected(algorithm: "sha-256")))
        #expect(scene.ranges == [nil, "bytes=40-"])
        #expect(try folder.names == [])
    }

    @Test func `a checksum finds bytes that were changed in place`() async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(in: folder)
        var bytes = try #require(scene.bytes(TransferScene.partial))
        bytes[7] ^= 1
        try scene.overwrite(TransferScene.partial, bytes)
        let checksum = try #require(Checksum(.sha256, sha256(of: scene.content)))
        #expect(await scene.fault(expecting: checksum) == .digestFailed(.unexpected(algorithm: "sha-256")))
        #expect(try folder.names == [])
    }

    @Test func `a link in the place of the partial file is not followed`() async throws {
        let scene = try TransferScene()
        try scene.folder.write("mine", to: "thesis")
        let link = scene.folder.file(TransferScene.partial)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scene.folder.file("thesis"))
        #expect(await scene.fault() == .fileFailed(.system(errno: ELOOP)))
        #expect(try scene.folder.text(of: "thesis") == "mine")
        #expect(try scene.folder.names == [TransferScene.partial, "thesis"])
        #expect(scene.requests.isEmpty)
    }

    @Test func `a folder or a pipe in the place of the partial file is refused`() async throws {
        let scene = try TransferScene()
        let place = scene.folder.file(TransferScene.partial)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        #expect(await scene.fault() == .fileFailed(.isDirectory))
        try FileManager.default.removeItem(at: place)
        #expect(mkfifo(place.path, 0o600) == 0)
        #expect(await scene.fault() == .fileFailed(.notPermitted))
        #expect(scene.requests.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a file that takes the place of the partial file meanwhile is not the result`(isOther: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        let (hasRequest, mayEnd) = (Flag(), Suspension<Void>())
        let connector = MemoryConnector.tested { connection in
            _ = try await connection.readRequest()
            hasRequest.raise()
            try await connection.write("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\nnew ")
            await mayEnd.wait(onCancel: ())
            try await connection.write("body")
            await connection.waitForEnd()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let destination = folder.file("file")
        let calling = Task { try await client.download(from: testURL, to: destination, resuming: .immediate) }
        await hasRequest.wait()  // before its request, the client opens and locks the file
        try folder.remove(TransferScene.partial)
        if isOther { try folder.write("another!", to: TransferScene.partial) }
        mayEnd.resume(with: ())
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.fault == .fileFailed(isOther ? .inUse : .system(errno: ENOENT)))
        #expect(try folder.text(of: "file") == "old")
        if isOther { #expect(try folder.text(of: TransferScene.partial) == "another!") }
    }
}
