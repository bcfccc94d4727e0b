// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Crypto
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Uploads that continue: servers in other processes", .hangLimit)
struct UploadServersTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let content: Data
    private let client = Client(configuration: .patient)

    init() throws {
        self.folder = try TemporaryFolder()
        self.file = self.folder.file("video.mp4")
        self.content = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) })
        try self.content.write(to: self.file)
    }

    private var digest: String { SHA256.hash(data: self.content).map { String(format: "%02x", $0) }.joined() }
    private var record: URL { self.folder.file("video.mp4.tern-upload") }

    private func rules(
        _ kind: UploadServer.Kind,
        _ policy: ResumptionPolicy = ResumptionPolicy(backoff: Backoff(initialDelay: .milliseconds(1)))
    ) -> UploadResumption {
        UploadResumption(uploadProtocol: kind.uploadProtocol, policy: policy)
    }

    /// Returns the path of a target that no other test uses.
    private func path(_ conduct: String) -> String { "/\(conduct)/\(UUID().uuidString)" }

    /// Checks that the server has processed the file once, and that no byte was sent to it twice.
    private func checkOnce(_ log: [UploadServer.Entry]) throws {
        let complete = log.filter { $0.complete != nil }
        #expect(complete.map(\.sha256) == [self.digest])
        #expect(!FileManager.default.fileExists(atPath: self.record.path))
    }

    @Test(arguments: UploadServer.Kind.allCases, ["steady", "busy", "cut-400000", "away"])
    func `the file arrives once, whatever happens`(_ kind: UploadServer.Kind, _ conduct: String) async throws {
        let (server, path) = (try await UploadServer.shared(kind), self.path(conduct))
        let request = Request(.post, server.url(path)).header("Authorization", "Bearer secret")
        let upload = try await self.client.upload(for: request, fromFile: self.file, resuming: self.rules(kind))
        #expect(upload.response?.isSuccess == true && upload.isResumable && upload.restart == nil)
        #expect(upload.byteCount == 1_500_000 && upload.resumedByteCount == 0)
        if kind != .tus { #expect(String(decoding: upload.data, as: UTF8.self) == self.digest) }
        let log = try await server.log(of: path, by: self.client)
        try self.checkOnce(log)
        let later = log.filter { $0.path?.hasPrefix("/uploads/") == true }
        // `away` names another origin, which must not see the credentials.
        #expect(later.allSatisfy { $0.fields?["authorization"] == (conduct == "away" ? nil : "Bearer secret") })
        #expect(log.first?.fields?["authorization"] == "Bearer secret")
    }

    @Test(arguments: UploadServer.Kind.allCases)
    func `a later call sends only what is missing`(_ kind: UploadServer.Kind) async throws {
        let (server, path) = (try await UploadServer.shared(kind), self.path("cut-600000"))
        let request = Request(.post, server.url(path))
        let error = await failure { () async throws(ClientError) in
            _ = try await self.client.upload(for: request, fromFile: self.file, resuming: self.rules(kind, .manual))
        }
        #expect(error?.isRetryable == true)
        #expect(FileManager.default.fileExists(atPath: self.record.path))
        let client = Client(configuration: .patient)
        let upload = try await client.upload(for: request, fromFile: self.file, resuming: self.rules(kind))
        #expect(upload.resumedByteCount == 600_000 && upload.restart == nil)
        let log = try await server.log(of: path, by: client)
        try self.checkOnce(log)
        #expect(log.compactMap(\.offset).filter { $0 > 0 } == [600_000, 1_200_000])
    }

    @Test(arguments: UploadServer.Kind.allCases)
    func `an answer that is lost is no reason to send the file again`(_ kind: UploadServer.Kind) async throws {
        let (server, path) = (try await UploadServer.shared(kind), self.path("lost"))
        let request = Request(.post, server.url(path))
        let upload = try await self.client.upload(for: request, fromFile: self.file, resuming: self.rules(kind))
        #expect(upload.response == nil && upload.data.isEmpty && upload.isResumable)
        try self.checkOnce(try await server.log(of: path, by: self.client))
    }

    @Test(arguments: [UploadServer.Kind.draft8, .draft6])
    func `a server without the protocol gets a plain upload`(_ kind: UploadServer.Kind) async throws {
        let (server, path) = (try await UploadServer.shared(kind), self.path("plain"))
        let request = Request(.post, server.url(path))
        let upload = try await self.client.upload(for: request, fromFile: self.file, resuming: self.rules(kind))
        #expect(upload.response?.statusCode == 201 && !upload.isResumable)
        #expect(String(decoding: upload.data, as: UTF8.self) == self.digest)
        #expect(!FileManager.default.fileExists(atPath: self.record.path))
    }

    @Test func `the other version of the draft is a plain upload`() async throws {
        let (server, path) = (try await UploadServer.shared(.draft6), self.path("steady"))
        let request = Request(.post, server.url(path))
        let upload = try await self.client.upload(for: request, fromFile: self.file, resuming: self.rules(.draft8))
        #expect(upload.response?.statusCode == 201 && !upload.isResumable)
    }

    @Test(arguments: [nil, Int64(400_000)])
    func `tuspyserver stores the file`(_ partByteCount: Int64?) async throws {
        let server = try await TusServer.shared
        let tus = TusOptions(metadata: [TusOptions.Metadata("filename", "video.mp4".utf8)].compactMap { $0 })
        let rules = UploadResumption(uploadProtocol: .tus, maximumPartByteCount: partByteCount, tus: tus)
        let upload = try await self.client.upload(for: Request(.post, server.url), fromFile: self.file, resuming: rules)
        let name = try #require(upload.response?.url.lastPathComponent)
        #expect(try Data(contentsOf: server.folder.appending(path: name)) == self.content)
    }
}
