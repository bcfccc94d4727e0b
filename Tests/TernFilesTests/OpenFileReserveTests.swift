// SPDX-License-Identifier: Apache-2.0
import CoreFoundation  // `open` and the like, on Linux
import Foundation
import TernErrors
import TernFiles
import TestSupport
import Testing

@Suite("Space that is reserved for a file")
struct OpenFileReserveTests {
    private let folder: TemporaryFolder
    private let descriptor: CInt

    init() throws {
        self.folder = try TemporaryFolder()
        let path = try self.folder.write("mine", to: "file")
        self.descriptor = open(path, O_RDWR)
        try #require(self.descriptor >= 0)
    }

    private func reserve(_ byteCount: Int64, _ descriptor: CInt? = nil) -> Result<Bool, FileFailure> {
        defer { close(descriptor ?? self.descriptor) }
        return Result { () throws(FileFailure) in
            try OpenFile.reserve(descriptor ?? self.descriptor, byteCount: byteCount)
        }
    }

    private var content: Data { (try? Data(contentsOf: self.folder.file("file"))) ?? Data() }

    @Test func `the bytes stay, and the others are zeros`() throws {
        let isReserved = try self.reserve(100_000).get()
        #expect(self.content.prefix(4) == Data("mine".utf8))
        #expect(self.content.dropFirst(4).allSatisfy { $0 == 0 })
        var status = stat()
        #expect(stat(self.folder.file("file").path, &status) == 0)
        if isReserved { #expect(Int(status.st_blocks) * 512 >= 100_000) }
    }

    @Test func `later writes go to their positions`() throws {
        let copy = dup(self.descriptor)
        defer { close(copy) }
        _ = try self.reserve(1000).get()
        let bytes: [UInt8] = [1, 2, 3]
        let failure = bytes.withUnsafeBytes { OpenFile.write([$0], to: copy, at: 500) }
        #expect(failure == nil)
        #expect(self.content.prefix(1000).dropFirst(500).prefix(3) == Data(bytes))
        #expect(self.content.count <= 1000)
    }

    @Test func `more than the disk has is a full disk, and the file stays as it was`() {
        #expect(self.reserve(1 << 62) == .failure(.diskFull))
        #expect(self.content == Data("mine".utf8))
        var status = stat()
        #expect(stat(self.folder.file("file").path, &status) == 0 && Int(status.st_blocks) * 512 <= 1 << 16)
    }

    @Test(arguments: ["/dev/null", "/dev/full", "/dev/zero"])
    func `a file that cannot have space is no failure`(path: String) throws {
        let device = open(path, O_RDWR)
        try #require(device >= 0)
        #expect(self.reserve(1000, device) == .success(false))
    }

    @Test func `a length that makes no sense is no failure`() {
        #expect(self.reserve(0) == .success(false))
        #expect(self.content == Data("mine".utf8))
    }

    @Test func `a file that is not open for writing is no failure`() throws {
        let readOnly = open(self.folder.file("file").path, O_RDONLY)
        try #require(readOnly >= 0)
        #expect(self.reserve(1 << 20, readOnly) == .success(false))  // more than the blocks that the file has
    }
}
