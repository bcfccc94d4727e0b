// SPDX-License-Identifier: Apache-2.0
import CoreFoundation  // `flock` and the like, on Linux
import Foundation
import TernErrors
import TernFiles
import TestSupport
import Testing

@Suite("Folders, and files that are held")
struct OpenFolderTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self.folder.file(name).path, withDestinationPath: target)
    }

    private static func failure(_ body: () throws(FileFailure) -> Void) -> FileFailure? {
        do throws(FileFailure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    // The `#expect` macro copies its values, so it cannot contain a value that is not copyable.

    @Test func `names are those of files in it, and links are not followed`() throws {
        try self.folder.write("mine", to: "file")
        try self.link("link", to: "file")
        let open = try OpenFolder(path: self.folder.url.path)
        let (names, link, file) = (open.names, open.status(of: "link"), open.status(of: "file"))
        let isThere = open.status(of: "none") != nil
        #expect(Set(names) == ["file", "link"])
        #expect(link?.kind == .link && file?.byteCount == 4 && file?.isOwn == true && !isThere)
        let failure = Self.failure { () throws(FileFailure) in _ = try open.open("link", O_RDONLY) }
        #expect(failure == .system(errno: ELOOP))
        open.delete("link")
        #expect(try self.folder.names == ["file"])
    }

    @Test func `a folder that is a link, or missing, or a file, is not one's own`() throws {
        try FileManager.default.createDirectory(at: self.folder.file("real"), withIntermediateDirectories: false)
        try self.link("link", to: "real")
        try self.folder.write("", to: "file")
        let open = try OpenFolder(path: self.folder.url.path)
        for name in ["link", "none", "file"] {
            let path = self.folder.file(name).path
            let failures = [
                Self.failure { () throws(FileFailure) in _ = try OpenFolder(ownPath: path) },
                Self.failure { () throws(FileFailure) in _ = try open.ownFolder(name) },
            ]
            #expect(failures == [.folderNotFound, .folderNotFound])
        }
        _ = try OpenFolder(ownPath: self.folder.file("real").path)
        _ = try OpenFolder(path: self.folder.file("link").path)
    }

    @Test(arguments: [0o720, 0o702, 0o777])
    func `a folder that others may write to is not one's own`(_ mode: Int) throws {
        let open = try OpenFolder(path: self.folder.url.path)
        try open.makeFolder("inner")
        _ = try open.ownFolder("inner")
        let path = self.folder.file("inner").path
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let failure = Self.failure { () throws(FileFailure) in _ = try open.ownFolder("inner") }
        #expect(failure == .notPermitted)
    }

    @Test func `a file is created once, for its owner alone, and is held while it is open`() throws {
        let open = try OpenFolder(path: self.folder.url.path)
        let descriptor = try open.createLocked("file")
        #expect(try FileStatus(descriptor: descriptor).permissions == 0o600)
        let failure = Self.failure { () throws(FileFailure) in _ = try open.createLocked("file") }
        #expect(failure == .alreadyExists)
        let first = [open.isAbandoned("file"), open.deleteIfAbandoned("file")]
        try open.move("file", to: open, "other")
        let second = open.isAbandoned("other")
        OpenFile.closeLocked(descriptor)
        #expect(first == [false, false] && !second)
        let third = [open.isAbandoned("other"), open.deleteIfAbandoned("other")]
        #expect(third == [true, true])
        #expect(try self.folder.names.isEmpty)
    }

    @Test func `what is no file of this user's is never abandoned`() throws {
        try self.folder.write("mine", to: "file")
        try self.link("link", to: "file")
        let open = try OpenFolder(path: self.folder.url.path)
        try open.makeFolder("inner")
        #expect(mkfifo(self.folder.file("pipe").path, 0o600) == 0)
        var names = ["link", "inner", "pipe", "none"]
        if geteuid() == 0 {
            try self.folder.write("", to: "given")
            #expect(chown(self.folder.file("given").path, 12345, 12345) == 0)
            names.append("given")
        }
        for name in names {
            let isDeleted = open.deleteIfAbandoned(name)
            #expect(!isDeleted, "\(name)")
        }
        #expect(try self.folder.names.count == names.count)
    }

    @Test func `writers whose files are looked for at once lose none`() async throws {
        let path = self.folder.url.path
        let form = TemporaryFileName(for: "file", maximumByteCount: 255)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<500 { if let open = try? OpenFolder(path: path) { form.deleteAbandoned(in: open) } }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<500 {
                        let name = form.make()
                        guard let open = try? OpenFolder(path: path), let file = try? open.createLocked(name) else {
                            Issue.record("no file")
                            continue
                        }
                        let isThere = open.status(of: name) != nil
                        #expect(isThere)
                        OpenFile.closeLocked(file)
                    }
                }
            }
        }
        form.deleteAbandoned(in: try OpenFolder(path: path))
        #expect(try self.folder.names.isEmpty)
    }
}

@Suite("Paths that may be links")
struct FilePathTests {
    @Test(arguments: [
        ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b", "a", "b"), ("/a/", "/a", ""), ("", ".", ""),
    ])
    func `a path is a folder and a name`(_ path: String, _ folder: String, _ name: String) {
        #expect(FilePath(path).folder == folder && FilePath(path).name == name)
    }

    @Test func `links of one's own are followed, some of them, to what may be missing`() throws {
        let folder = try TemporaryFolder()
        let path = { (name: String) in folder.file(name).path }
        #expect(symlink("second", path("first")) == 0 && symlink(path("third"), path("second")) == 0)
        #expect(try FilePath(followingOwnLinks: path("first")).path == path("third"))
        #expect(try FilePath(followingOwnLinks: path("none")).path == path("none"))
        #expect(symlink("loop", path("loop")) == 0)
        #expect(throws: FileFailure.system(errno: ELOOP)) { try FilePath(followingOwnLinks: path("loop")) }
    }
}

@Suite("Names of files that are being written")
struct PartialNameTests {
    @Test(arguments: [
        "file", "", "🐶", String(repeating: "🐶", count: 63), "e" + String(repeating: "\u{301}", count: 120),
    ])
    func `each is another, of the form, and short enough`(_ name: String) {
        let form = TemporaryFileName(for: name, maximumByteCount: 255)
        let names = (0..<100).map { _ in form.make() }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { form.matches($0) && $0.hasPrefix(".") && $0.utf8.count <= 255 })
    }

    @Test(arguments: [
        "", ".file.tern-.part", ".file.tern-0123456789ab.part", ".file.tern-0123456789abcd.part",
        ".file.tern-0123456789abC.part", ".file.tern-0123456789ab/.part", "file.tern-0123456789abc.part",
        ".File.tern-0123456789abc.part", ".file.tern-0123456789abc.part ", ".file.tern-0123456789abc",
        ".other.tern-0123456789abc.part",
    ])
    func `what is of another form is left alone`(_ name: String) {
        #expect(!TemporaryFileName(for: "file", maximumByteCount: 255).matches(name))
    }

    @Test func `a cut keeps characters whole`() {
        #expect("aé犬🐶".prefix(utf8Count: 9) == "aé犬")
        #expect("aé犬🐶".prefix(utf8Count: 10) == "aé犬🐶")
        #expect("👩\u{200D}👧b".prefix(utf8Count: 10).isEmpty)
        #expect("abc".prefix(utf8Count: 0).isEmpty && "abc".prefix(utf8Count: -1).isEmpty)
    }
}
