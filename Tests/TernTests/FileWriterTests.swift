// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernCLibrary
import TernFoundation
import TestSupport
import Testing

@testable import Tern

@Suite("FileWriter", .hangLimit)
struct FileWriterTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    private func writer() throws -> FileWriter {
        let descriptor = open(self.folder.file("file").path, O_CREAT | O_RDWR, 0o600)
        try #require(descriptor >= 0)
        return FileWriter(descriptor)
    }

    /// Returns the bytes of a part of the file.
    private static func bytes(of descriptor: CInt, at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            initializedCount = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }

    @Test func `work runs after all writes that have returned, while other tasks write`() async throws {
        let writer = try self.writer()
        let regionByteCount = 8 << 20
        try await withThrowingTaskGroup { group in
            for task in 0..<6 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    var offset = task * regionByteCount
                    for round in 0..<40 {
                        let count = [1, 500, 100_000, 150_000].randomElement(using: &random) ?? 1
                        let value = UInt8(truncatingIfNeeded: task * 50 + round)
                        try await writer.write(ByteBuffer(repeating: value, count: count), at: Int64(offset))
                        let start = offset
                        let written = await writer.run { failure in
                            failure == nil ? Self.bytes(of: writer.descriptor, at: start, count: count) : []
                        }
                        try #require(written.count == count && written.allSatisfy { $0 == value })
                        offset += count
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `draining leaves nothing to write`() async throws {
        let writer = try self.writer()
        var count = 0
        for number in 0..<200 {
            try await writer.write(ByteBuffer(repeating: 7, count: number * 1_000), at: Int64(count))
            count += number * 1_000
            guard number.isMultiple(of: 9) else { continue }
            try await writer.drain()
            #expect(lseek(writer.descriptor, 0, SEEK_END) == off_t(count))
        }
    }
}
