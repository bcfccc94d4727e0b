// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TernFiles

@Suite("Reading what is in memory")
struct ReadCachedTests {
    /// Returns what is read, or `nil` if this file system cannot say what is in memory.
    func read(_ count: Int, at offset: Int64, of text: String) throws -> String? {
        let folder = try TemporaryFolder()
        let file = try FileHandle(forReadingFrom: URL(filePath: folder.write(text, to: "file")))
        var bytes = [UInt8](repeating: 0, count: count)
        let readCount = bytes.withUnsafeMutableBytes { OpenFile.readCached(file.fileDescriptor, into: $0, at: offset) }
        return readCount > 0 ? String(decoding: bytes[..<readCount], as: UTF8.self) : nil
    }

    @Test(arguments: [(3, 0, "012"), (3, 4, "456"), (10, 8, "89")])
    func `bytes that were just written are read, or none`(count: Int, offset: Int64, expected: String) throws {
        let text = try self.read(count, at: offset, of: "0123456789")
        #expect(text == nil || text == expected)
    }

    @Test func `nothing is read at the end, and from no file`() throws {
        #expect(try self.read(3, at: 10, of: "0123456789") == nil)
        var byte: UInt8 = 0
        #expect(withUnsafeMutableBytes(of: &byte) { OpenFile.readCached(-1, into: $0, at: 0) } == 0)
    }
}
