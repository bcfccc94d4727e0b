// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Misuse: bodies that cannot be sent", .hangLimit)
struct UploadFailureTests {
    @Test func `a file that does not exist, and a folder, are reported before anything is sent`() async throws {
        let server = try await RawServer()
        let folder = try TemporaryFolder()
        let cases: [(URL, UploadFailure)] = [(folder.file("missing"), .fileNotFound), (folder.url, .notAFile)]
        for (file, expected) in cases {
            let error = await failure { () async throws(ClientError) in
                try await Client(configuration: .patient).upload(
                    for: Request(.put, server.url("/upload")),
                    fromFile: file
                )
            }
            #expect(error?.fault == .uploadFailed(expected))
            #expect(error?.context.phase == .prepare)
            #expect(server.connectionCount == 0)
        }
    }

    @Test(arguments: Scheme.allCases)
    func `a file that becomes shorter meanwhile is reported`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.expectContinueThreshold = nil }
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        try folder.truncate("file", to: 50_000_000)
        let shortener = Shortener(folder: folder)
        let error = await failure { () async throws(ClientError) in
            try await client.upload(
                for: Request(.put, nginx.url(scheme, "/uploads/\(UUID().uuidString)")),
                fromFile: folder.file("file"),
                delegate: shortener
            )
        }
        #expect(error?.fault == .uploadFailed(.fileChanged))
    }

    @Test(arguments: [Int64(99), 101], [true, false])
    func `a stream of another length than announced is reported`(_ length: Int64, hasPieces: Bool) async throws {
        let server = try await RawServer()
        let pieces = hasPieces ? Pieces(count: 10, byteCount: 10) : Pieces(count: 1, byteCount: 100)
        let error = await failure { () async throws(ClientError) in
            try await Client(configuration: .patient).upload(
                for: Request(.put, server.url("/upload")),
                from: pieces,
                length: length
            )
        }
        #expect(error?.fault == .uploadFailed(.lengthMismatch(announced: length)))
        #expect(error?.context.phase == .send)
        try await server.isLeft()
    }

    @Test(arguments: [nil, 100])
    func `a stream that throws is reported`(_ length: Int64?) async throws {
        let server = try await RawServer()
        let pieces = Pieces(count: 10, byteCount: 10, failsAfter: 3)
        var configuration = Client.Configuration.patient
        configuration.expectContinueThreshold = nil
        let client = Client(configuration: configuration)
        let fault = await fault { () async throws(ClientError) in
            try await client.upload(for: Request(.put, server.url("/upload")), from: pieces, length: length)
        }
        #expect(fault == .uploadFailed(.streamFailed(type: "Broken")))
        try await server.isLeft()
    }
}

/// Shortens the file after the client has sent a part of it.
private struct Shortener: TaskDelegate {
    let folder: TemporaryFolder

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        try? self.folder.truncate("file", to: 1_000_000)
    }
}
