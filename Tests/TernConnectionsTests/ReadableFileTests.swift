// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernCLibrary
import TernConnections
import TernErrors
import TernFoundation
import TestSupport
import Testing

@Suite("ReadableFile", .hangLimit)
struct ReadableFileTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    @Test func `gives any range of the file`() async throws {
        let file = try ReadableFile(path: self.folder.write("0123456789", to: "digits"))
        #expect(file.byteCount == 10)
        #expect(try await file.read(byteCount: 10, at: 0) == ByteBuffer(string: "0123456789"))
        #expect(try await file.read(byteCount: 3, at: 4) == ByteBuffer(string: "456"))
        #expect(try await file.read(byteCount: 0, at: 10) == ByteBuffer())
    }

    @Test func `a file that does not exist is not found`() {
        #expect(throws: FileReadError(.fileNotFound)) { try ReadableFile(path: self.folder.file("no").path) }
        #expect(throws: FileReadError(.fileNotFound)) {
            try ReadableFile(path: self.folder.write("x", to: "file") + "/below")
        }
    }

    @Test func `a file takes no descriptor of the reserve`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = try folder.write("x", to: "file")
            let table = try FullDescriptorTable(freeCount: 8)
            #expect(throws: FileReadError(.unreadable(errno: EMFILE))) { try ReadableFile(path: path) }
            withExtendedLifetime((table, folder)) {}
        }
    }

    @Test func `a folder and a device are no files`() {
        #expect(throws: FileReadError(.notAFile)) { try ReadableFile(path: self.folder.url.path) }
        #expect(throws: FileReadError(.notAFile)) { try ReadableFile(path: "/dev/null") }
    }

    @Test func `a file that became shorter has changed`() async throws {
        let file = try ReadableFile(path: self.folder.write("0123456789", to: "digits"))
        try self.folder.truncate("digits", to: 4)
        #expect(try await file.read(byteCount: 4, at: 0) == ByteBuffer(string: "0123"))
        await #expect(throws: FileReadError(.fileChanged)) { try await file.read(byteCount: 5, at: 0) }
    }

    @Test func `long reads and short reads give the same bytes`() async throws {
        let text = String((0..<100_000).flatMap { "\($0)," })
        let file = try ReadableFile(path: self.folder.write(text, to: "digits"))
        #expect(try await file.read(byteCount: text.utf8.count, at: 0) == ByteBuffer(string: text))
        var pieces = ByteBuffer()
        while pieces.readableBytes < text.utf8.count {
            let byteCount = min(200_000, text.utf8.count - pieces.readableBytes)
            var piece = try await file.read(byteCount: byteCount, at: Int64(pieces.readableBytes))
            #expect(piece.readableBytes == byteCount)
            pieces.writeBuffer(&piece)
        }
        #expect(pieces == ByteBuffer(string: text))
    }

    @Test func `a deleted file can be read on`() async throws {
        let file = try ReadableFile(path: self.folder.write("0123", to: "digits"))
        try self.folder.remove("digits")
        #expect(try await file.read(byteCount: 4, at: 0) == ByteBuffer(string: "0123"))
    }

    @Test func `releasing it closes the descriptor`() throws {
        let descriptor: CInt
        do { descriptor = try ReadableFile(path: self.folder.write("0123", to: "digits")).descriptor }
        #expect(!TemporaryFolder.isOpen(descriptor, self.folder.file("digits")))
    }

    @Test func `blocks on the global queues hold up no reading`() throws {
        let file = try ReadableFile(path: self.folder.write("0123", to: "digits"))
        let bytes = try whileGlobalQueuesBlock { try await file.read(byteCount: 4, at: 0) }
        #expect(bytes == ByteBuffer(string: "0123"))
    }

    @Test func `a reader of a long file leaves its thread to other tasks`() async throws {
        let path = try self.folder.write("", to: "long")
        try self.folder.truncate("long", to: 1 << 30)
        let file = try ReadableFile(path: path)
        let thread = SerialQueueExecutor()
        let reading = Task(executorPreference: thread) { () async throws -> Int64 in
            var offset: Int64 = 0
            while offset < file.byteCount, !Task.isCancelled {
                offset += Int64(try await file.read(byteCount: 1 << 18, at: offset).readableBytes)
            }
            return offset
        }
        let cancelling = Task(executorPreference: thread) { reading.cancel() }
        await cancelling.value
        #expect(try await reading.value < file.byteCount)
    }
}
