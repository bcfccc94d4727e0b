// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernCLibrary
import TestSupport
import Testing

@Suite("Misuse: files that cannot be written", .hangLimit)
struct DownloadFailureTests {
    @Test func `a place where no file can be is reported before anything is sent`() async throws {
        let server = try await RawServer()
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        let cases: [(URL, FileFailure)] = [
            (folder.url.appending(path: "missing/file"), .folderNotFound),
            (folder.url.appending(path: "file/below"), .folderNotFound),
            (folder.url, .isDirectory),
            (URL(filePath: "/proc/file"), .folderNotFound),
        ]
        for (destination, expected) in cases {
            let error = await failure { () async throws(ClientError) in
                try await Client(configuration: .patient).download(for: server.get("/fine"), to: destination)
            }
            #expect(error?.fault == .fileFailed(expected))
            #expect(error?.context.phase == .store)
            #expect(server.connectionCount == 0)
        }
        #expect(try folder.names == ["file"])
    }

    @Test func `a destination that is no file URL is refused`() async throws {
        let server = try await RawServer()
        let destination = try #require(URL(string: server.origin))
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).download(for: server.get("/fine"), to: destination)
        }
        #expect(fault == .fileFailed(.notAFileURL))
    }

    /// The test has a separate process, because the limit applies to all files of a process.
    ///
    /// It works for every user.
    @Test func `a disk that is full is reported, and no file is left`() async throws {
        let server = try await RawServer()
        let folder = try TemporaryFolder()
        let url = server.url("/flood")
        let destination = folder.file("file").path
        await #expect(processExitsWith: .success) { [url = url as String, destination = destination as String] in
            signal(SIGXFSZ, SIG_IGN)
            #expect(CLibrary.ResourceLimit.fileByteCount.change(to: 1 << 20) == 0)
            let error = await failure { () async throws(ClientError) in
                let request = Request(.get, url).query("bytes", 10_000_000)
                return try await Client(configuration: .patient).download(for: request, to: URL(filePath: destination))
            }
            #expect(error?.fault == .fileFailed(.diskFull))
            #expect(error?.context.phase == .store)
            #expect(error?.status == .ok)
        }
        #expect(try folder.names == [])
    }
}
