// SPDX-License-Identifier: Apache-2.0
import CoreFoundation  // `flock` and the like, on Linux
import Foundation
import TernErrors
import TernFiles
import TestSupport
import Testing

@Suite("Files that are written in place")
struct GrowingFileTests {
    private let folder: TemporaryFolder
    private let form = TemporaryFileName(for: "file", maximumByteCount: 255)

    init() throws { self.folder = try TemporaryFolder() }

    /// Opens the file, writes over its beginning, and returns what it was.
    private func write(
        _ text: String,
        keepsContent: Bool = true
    ) throws(FileFailure) -> (isNew: Bool, status: FileStatus) {
        let open = try OpenFolder(path: self.folder.url.path)
        let file = try open.openGrowing("file", replacedBy: self.form, keepsContent: keepsContent)
        defer { close(file.descriptor) }
        let bytes = Array(text.utf8)
        if let failure = bytes.withUnsafeBytes({ OpenFile.write([$0], to: file.descriptor, at: 0) }) { throw failure }
        return (file.isNew, try FileStatus(descriptor: file.descriptor))
    }

    private func setMode(_ mode: Int, of name: String = "file") throws {
        let path = self.folder.file(name).path
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self.folder.file(name).path)[.posixPermissions] as? Int
    }

    @Test func `a file is created for its owner alone, and found again`() throws {
        let (isNew, first) = try self.write("ab")
        let (isFound, second) = try self.write("c")
        #expect(isNew && !isFound)
        #expect(first.permissions == 0o600 && first.number == second.number)
        #expect(try self.folder.text(of: "file") == "cb")
    }

    @Test(arguments: [0o666, 0o644, 0o777, 0o400])
    func `a file with other permissions gets those of a new one`(_ mode: Int) throws {
        try self.folder.write("mine", to: "file")
        try self.setMode(mode)
        guard mode & 0o200 != 0 || geteuid() == 0 else { return }  // its owner cannot open it for writing
        let (isNew, status) = try self.write("M")
        #expect(!isNew && status.permissions == 0o600)
        #expect(try self.folder.text(of: "file") == "Mine")
    }

    @Test(arguments: [true, false])
    func `a file with a second name stays as it is, and another one is written`(_ keepsContent: Bool) throws {
        // More than one piece of the copy.
        let content = String(repeating: "0123456789", count: 200_000)
        try self.folder.write(content, to: "file")
        try self.setMode(0o666)
        let number = try self.write("0").status.number
        try self.setMode(0o640)
        try FileManager.default.linkItem(at: self.folder.file("file"), to: self.folder.file("second"))
        let (isNew, status) = try self.write("X", keepsContent: keepsContent)
        #expect(isNew == !keepsContent && status.number != number)
        #expect(status.permissions == 0o600 && status.nameCount == 1)
        #expect(try self.folder.text(of: "file") == (keepsContent ? "X" + content.dropFirst() : "X"))
        #expect(try self.folder.text(of: "second") == content)
        #expect(try self.mode(of: "second") == 0o640)
        #expect(try Set(self.folder.names) == ["file", "second"])
    }

    @Test func `a copy that a process has left is deleted`() throws {
        try self.folder.write("abc", to: "file")
        try FileManager.default.linkItem(at: self.folder.file("file"), to: self.folder.file("second"))
        try self.folder.write("a", to: self.form.make())
        _ = try self.write("X")
        #expect(try Set(self.folder.names) == ["file", "second"])
    }

    @Test func `the other file has the lock before it has the name`() throws {
        try self.folder.write("abc", to: "file")
        try FileManager.default.linkItem(at: self.folder.file("file"), to: self.folder.file("second"))
        let open = try OpenFolder(path: self.folder.url.path)
        let file = try open.openGrowing("file", replacedBy: self.form, keepsContent: true)
        #expect(throws: FileFailure.inUse) { try self.write("X") }
        OpenFile.closeLocked(file.descriptor)
        _ = try self.write("X")
        #expect(try self.folder.text(of: "file") == "Xbc" && self.folder.text(of: "second") == "abc")
    }

    @Test func `a link, a folder and a pipe are not opened`() throws {
        let path = self.folder.file("file").path
        try self.folder.write("mine", to: "target")
        #expect(symlink("target", path) == 0)
        #expect(throws: FileFailure.self) { try self.write("X") }
        #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        #expect(throws: FileFailure.notPermitted) { try self.write("X") }
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        #expect(throws: FileFailure.self) { try self.write("X") }
        #expect(try self.folder.text(of: "target") == "mine")
    }

    @Test func `a new file in place of another does not write to an old one`() throws {
        try self.folder.write("backup", to: "new")
        try self.setMode(0o666, of: "new")
        try FileManager.default.linkItem(at: self.folder.file("new"), to: self.folder.file("second"))
        let open = try OpenFolder(path: self.folder.url.path)
        close(try open.replace("record", with: Array("text".utf8), by: "new"))
        #expect(try self.folder.text(of: "record") == "text" && self.mode(of: "record") == 0o600)
        #expect(try self.folder.text(of: "second") == "backup")
        #expect(try Set(self.folder.names) == ["record", "second"])
    }
}
