// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernConnections
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("A durable download without interruptions", .hangLimit)
struct FreshTransferTests {
    @Test func `the file is complete, and only its owner can read it`() async throws {
        let scene = try TransferScene()
        let result = try await scene.download()
        scene.expectComplete()
        let path = scene.destination.path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(result.location == scene.destination)
        #expect((result.byteCount, result.resumedByteCount) == (100, 0))
        #expect(result.restart == nil)
        #expect(result.response?.statusCode == 200)
    }

    @Test func `the request asks for the whole content, without a coding`() async throws {
        let scene = try TransferScene()
        let request = Request(.get, TransferScene.url).header(.acceptEncoding, "gzip").header(.accept, "text/plain")
        _ = try await scene.download(request)
        let fields = try #require(scene.requests.first?.fields)
        #expect(scene.requests.count == 1)
        #expect(fields[values: .acceptEncoding] == ["identity"])
        #expect(fields[.accept] == "text/plain")
        #expect(!fields.contains(.range) && !fields.contains(.ifRange))
    }

    @Test(arguments: [true, false])
    func `a long content is complete, with and without an announced length`(announcesLength: Bool) async throws {
        var resource = RangeServer(RangeServer.content(3_000_000))
        resource.announcesLength = announcesLength
        let scene = try TransferScene(resource: resource)
        let result = try await scene.download()
        scene.expectComplete()
        #expect(result.byteCount == 3_000_000)
    }

    @Test(arguments: [true, false])
    func `an empty content makes an empty file`(announcesLength: Bool) async throws {
        var resource = RangeServer([])
        if !announcesLength {
            resource.announcesLength = false
            let scene = try TransferScene(.respond(.chunked([], fields: resource.fields)), resource: resource)
            #expect(try await scene.download().byteCount == 0)
            return scene.expectComplete()
        }
        let scene = try TransferScene(resource: resource)
        #expect(try await scene.download().byteCount == 0)
        scene.expectComplete()
    }

    @Test func `until the file is complete, the destination has what was there`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        let mayEnd = Suspension<Void>()
        let connector = MemoryConnector.tested { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\nnew ")
            await mayEnd.wait(onCancel: ())
            try await connection.write("body")
            await connection.waitForEnd()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let destination = folder.file("file")
        let calling = Task { try await client.download(from: testURL, to: destination, resuming: .automatic) }
        try await eventually("there is a file beside it") { try folder.names == ["file", TransferScene.partial] }
        #expect(try folder.text(of: "file") == "old")
        mayEnd.resume(with: ())
        #expect(try await calling.value.byteCount == 8)
        #expect(try folder.text(of: "file") == "new body")
        #expect(try folder.names == ["file"])
    }

    @Test func `a call that fails leaves the file at the destination`() async throws {
        let scene = try TransferScene(.cut(afterBodyByteCount: 40), .status(.notFound))
        try scene.folder.write("old", to: TransferScene.file)
        #expect(await scene.failure() != nil)
        #expect(await scene.fault() == .validationFailed(.status(404)))
        #expect(try scene.folder.text(of: TransferScene.file) == "old")
        _ = try await scene.download()
        scene.expectComplete()
    }

    @Test func `a link at the destination is replaced, and its target stays`() async throws {
        let scene = try TransferScene()
        try scene.folder.write("mine", to: "thesis")
        try FileManager.default.createSymbolicLink(
            at: scene.destination,
            withDestinationURL: scene.folder.file("thesis")
        )
        _ = try await scene.download()
        #expect(try scene.folder.text(of: "thesis") == "mine")
        try scene.folder.remove("thesis")
        scene.expectComplete()
    }
}
