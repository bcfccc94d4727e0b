// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Tern
import TestSupport
import Testing

@Suite("Uploads that continue: NIOResumableUpload", .hangLimit)
struct NIOUploadServerTests {
    private static let byteCount = 1_500_000

    private let folder: TemporaryFolder
    private let file: URL
    private let content: [UInt8]
    private let client = Client(configuration: .patient)

    init() throws {
        self.folder = try TemporaryFolder()
        self.file = self.folder.file("video.mp4")
        self.content = (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        try Data(self.content).write(to: self.file)
    }

    private var hasRecord: Bool {
        FileManager.default.fileExists(atPath: self.folder.file("video.mp4.tern-upload").path)
    }

    private func upload(
        to server: NIOUploadServer,
        _ policy: ResumptionPolicy = ResumptionPolicy(backoff: Backoff(initialDelay: .milliseconds(1))),
        by client: Client? = nil
    ) async throws(ClientError) -> ResumedUpload {
        try await (client ?? self.client).upload(
            for: self.request(to: server),
            fromFile: self.file,
            resuming: UploadResumption(uploadProtocol: .draft(.six), policy: policy)
        )
    }

    private func request(to server: NIOUploadServer) -> Request {
        Request(.post, "http://127.0.0.1:\(server.port)/files").header("Authorization", "Bearer secret")
    }

    /// Checks that the server has the file, that each request had the credentials, and that nothing is left.
    private func checkOnce(
        _ server: NIOUploadServer,
        _ upload: ResumedUpload,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(upload.response?.statusCode == 201 && upload.isResumable, sourceLocation: sourceLocation)
        #expect(String(decoding: upload.data, as: UTF8.self) == "\(Self.byteCount)", sourceLocation: sourceLocation)
        let files = server.log.files.all.map { Array($0.readableBytesView) }
        #expect(files == [self.content], sourceLocation: sourceLocation)
        let credentials = Set(server.log.requests.all.map { $0.headerFields[.authorization] })
        #expect(credentials == ["Bearer secret"], sourceLocation: sourceLocation)
        #expect(!self.hasRecord, sourceLocation: sourceLocation)
    }

    @Test func `a file arrives in one request`() async throws {
        let server = try await NIOUploadServer.launch()
        defer { server.stop() }
        let upload = try await self.upload(to: server)
        #expect(upload.resumedByteCount == 0 && upload.restart == nil)
        #expect(server.log.requests.all.map(\.method) == [.post])
        self.checkOnce(server, upload)
    }

    @Test func `a connection that the server closes is followed by the rest`() async throws {
        let server = try await NIOUploadServer.launch(closingAfter: 400_000)
        defer { server.stop() }
        let upload = try await self.upload(to: server)
        #expect(upload.resumedByteCount == 0 && upload.restart == nil)
        self.checkRest(server)
        self.checkOnce(server, upload)
    }

    @Test func `a later call sends only what is missing`() async throws {
        let server = try await NIOUploadServer.launch(closingAfter: 400_000)
        defer { server.stop() }
        let error = await failure { () async throws(ClientError) in _ = try await self.upload(to: server, .manual) }
        #expect(error?.isRetryable == true)
        #expect(self.hasRecord)
        let upload = try await self.upload(to: server, by: Client(configuration: .patient))
        #expect(upload.resumedByteCount == 400_000 && upload.restart == nil)
        self.checkRest(server)
        self.checkOnce(server, upload)
    }

    @Test func `an upload that is cancelled is gone on the server`() async throws {
        let server = try await NIOUploadServer.launch(closingAfter: 400_000)
        defer { server.stop() }
        _ = await failure { () async throws(ClientError) in _ = try await self.upload(to: server, .manual) }
        let rules = UploadResumption(uploadProtocol: .draft(.six))
        try await self.client.cancelUpload(for: self.request(to: server), fromFile: self.file, resuming: rules)
        #expect(await server.log.abandoned.wait(for: 1) == [400_000])
        #expect(server.log.requests.all.map(\.method) == [.post, .delete])
        #expect(server.log.files.all.isEmpty && !self.hasRecord)
        // The server has forgotten it, so the next call begins a new upload.
        let upload = try await self.upload(to: server)
        #expect(upload.resumedByteCount == 0 && upload.restart == nil)
        self.checkOnce(server, upload)
    }

    /// Checks that the client has asked for the offset, and continued there.
    private func checkRest(_ server: NIOUploadServer, sourceLocation: SourceLocation = #_sourceLocation) {
        let requests = server.log.requests.all
        #expect(requests.map(\.method) == [.post, .head, .patch], sourceLocation: sourceLocation)
        let offset = HTTPField.Name("Upload-Offset").flatMap { requests.last?.headerFields[$0] }
        #expect(offset == "400000", sourceLocation: sourceLocation)
    }
}
