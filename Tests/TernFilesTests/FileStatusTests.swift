// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernErrors
import TernFiles
import TestSupport
import Testing

@Suite("FileStatus of a path")
struct FileStatusTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func status(_ name: String) throws(FileFailure) -> FileStatus {
        try FileStatus(path: self.folder.file(name).path)
    }

    @Test func `has the kind and the length, and follows links`() throws {
        try self.folder.write("four", to: "file")
        try FileManager.default.createSymbolicLink(atPath: self.folder.file("link").path, withDestinationPath: "file")
        for name in ["file", "link"] {
            let status = try self.status(name)
            #expect(status.kind == .regular)
            #expect(status.byteCount == 4)
            #expect(status.isOwn)
        }
        #expect(try FileStatus(path: self.folder.url.path).kind == .folder)
        #expect(try FileStatus(path: "/dev/null").kind == .other)
    }

    @Test func `fails with the failure of the system`() {
        #expect(throws: FileFailure.folderNotFound) { try self.status("none") }
        let name = String(repeating: "x", count: 1000)
        #expect(throws: FileFailure.system(errno: ENAMETOOLONG)) { try self.status(name) }
    }
}
