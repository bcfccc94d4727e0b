// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
@testable import Tern
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("Client.download", .hangLimit)
struct DownloadTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func fileFailure(_ scene: ClientScene, to destination: URL) async -> FileFailure? {
        let error = await failure { () async throws(ClientError) in
            try await scene.client.download(from: testURL, to: destination)
        }
        guard case .fileFailed(let reason, _)? = error else { return nil }
        return reason
    }

    private func expectTruncated(_ error: ClientError?, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .truncated? = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
    }

    @Test func `without a destination the body is in a temporary file of the owner's`() async throws {
        let scene = ClientScene { _ in .response(body: "hello") }
        let (location, response) = try await scene.client.download(from: testURL)
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(response.statusCode == 200)
        #expect(try Data(contentsOf: location) == Data("hello".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: location.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `with one, the body takes the place of what is there`() async throws {
        try self.folder.write("old", to: "file")
        let scene = ClientScene { _ in .chunked(["new", " body"]) }
        let (location, _) = try await scene.client.download(from: testURL, to: self.folder.file("file"))
        #expect(location.path == self.folder.file("file").path)
        #expect(try self.folder.text(of: "file") == "new body")
        #expect(try self.folder.names == ["file"])
    }

    @Test func `until it is complete, what was there stays`() async throws {
        try self.folder.write("old", to: "file")
        let mayEnd = Suspension<Void>()
        let connector = MemoryConnector.tested { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nnew ")
            await mayEnd.wait(onCancel: ())
            try await connection.write("body")
            await connection.waitForEnd()
        }
        let client = Client(configuration: .patient.tested, connector: connector)
        let destination = self.folder.file("file")
        let calling = Task { try await client.download(from: testURL, to: destination) }
        try await eventually("there is a file beside it") { try self.folder.names.count == 2 }
        #expect(try self.folder.text(of: "file") == "old")
        mayEnd.resume(with: ())
        _ = try await calling.value
        #expect(try self.folder.text(of: "file") == "new body")
        #expect(try self.folder.names == ["file"])
    }

    @Test func `an empty body makes an empty file`() async throws {
        let scene = ClientScene { _ in .response() }
        _ = try await scene.client.download(from: testURL, to: self.folder.file("file"))
        #expect(try self.folder.text(of: "file") == "")
    }

    @Test func `a body of many pieces is whole`() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let scene = ClientScene { _ in .response(bytes: bytes) }
        _ = try await scene.client.download(from: testURL, to: self.folder.file("file"))
        try expectEqual(Data(contentsOf: self.folder.file("file")), bytes)
        #expect(scene.connector.openCount == 1)
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .internalServerError, .notModified])
    func `the body of another status never takes the place of a good file`(status: HTTPResponse.Status) async throws {
        try self.folder.write("good", to: "file")
        let scene = ClientScene { _ in .response(status, body: "an error page") }
        let (location, response) = try await scene.client.download(from: testURL, to: self.folder.file("file"))
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(response.status == status)
        #expect(location.path != self.folder.file("file").path)
        #expect(try self.folder.text(of: "file") == "good")
        #expect(try self.folder.names == ["file"])
    }

    @Test func `a folder that does not exist is reported before anything is sent`() async {
        let scene = ClientScene { _ in .response() }
        let missing = self.folder.file("no").appendingPathComponent("file")
        #expect(await self.fileFailure(scene, to: missing) == .folderNotFound)
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a folder as destination is reported before anything is sent`() async throws {
        let scene = ClientScene { _ in .response() }
        #expect(await self.fileFailure(scene, to: self.folder.url) == .isDirectory)
        #expect(scene.connector.attemptCount == 0)
        #expect(try self.folder.names == [])
    }

    @Test func `a destination that is no file is refused`() async throws {
        let scene = ClientScene { _ in .response() }
        #expect(await self.fileFailure(scene, to: testURL) == .notAFileURL)
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a connection that breaks leaves no file and what was there`() async throws {
        try self.folder.write("old", to: "file")
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .reset) }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.download(from: testURL, to: self.folder.file("file"))
        }
        self.expectTruncated(error)
        #expect(try self.folder.names == ["file"])
        #expect(try self.folder.text(of: "file") == "old")
    }

    @Test func `a call that fails before its response leaves no file`() async throws {
        let scene = ClientScene(plan: .refuse(.notConnected(.refused))) { _ in .response() }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.download(from: testURL, to: self.folder.file("file"))
        }
        #expect(error?.isConnectivity == true)
        #expect(try self.folder.names == [])
    }

    @Test func `cancellation leaves no file`() async throws {
        let scene = ClientScene { _ in halfResponse }
        let destination = self.folder.file("file")
        let calling = Task { try await scene.client.download(from: testURL, to: destination) }
        try await scene.server.waitForRequests(1)
        #expect(try self.folder.names.count == 1)
        calling.cancel()
        let error = await #expect(throws: ClientError.self) { try await calling.value }
        #expect(error?.isCancellation == true)
        #expect(try self.folder.names == [])
        await scene.expectNoExchange()
    }

    @Test func `a slow disk slows the server and not the memory`() async throws {
        let scene = ClientScene(
            ScriptedServer { _ in .response(bytes: Array(repeating: 1, count: 2_000_000)) },
            capacity: 4096
        )
        _ = try await scene.client.download(from: testURL, to: self.folder.file("file"))
        #expect(try Data(contentsOf: self.folder.file("file")).count == 2_000_000)
    }

    @Test(arguments: [true, false])
    func `a body over the limit of the request leaves no file`(isAnnounced: Bool) async throws {
        let scene = ClientScene { _ in
            isAnnounced
                ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", ending: .stall)
                : .chunked(["01234", "56789", "x"])
        }
        var request = Request(url: testURL)
        request.options.maximumBodyByteCount = 10
        let destination = self.folder.file("photo")
        let error = await failure { [request] () async throws(ClientError) in
            try await scene.client.download(for: request, to: destination)
        }
        guard case .bodyTooLarge(limit: 10, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.response?.status == .ok)
        #expect(try self.folder.names.isEmpty)
        if isAnnounced { await scene.expectNoExchange() }
    }

    @Test func `a body of exactly the limit of the request is stored`() async throws {
        let scene = ClientScene { _ in .chunked(["01234", "56789"]) }
        var request = Request(url: testURL)
        request.options.maximumBodyByteCount = 10
        let (file, _) = try await scene.client.download(for: request, to: self.folder.file("photo"))
        #expect(try Data(contentsOf: file) == Data("0123456789".utf8))
    }
}
