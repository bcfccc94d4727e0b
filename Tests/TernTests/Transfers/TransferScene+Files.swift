// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Crypto
import Tern
import TernFoundation
import TernTesting
import TernTransfers
import TestSupport
import Testing

extension TransferScene {
    /// Checks that the complete file has the content of the resource, and that nothing is left beside it.
    func expectComplete(_ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation)
    {
        expectEqual(self.bytes(Self.file), self.content, comment(), sourceLocation: sourceLocation)
        #expect((try? self.folder.names) == [Self.file], comment(), sourceLocation: sourceLocation)
    }

    /// Checks that the folder has the bytes so far and their record, and no complete file.
    func expectUnfinished(_ byteCount: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try self.folder.names == [Self.partial, Self.record], sourceLocation: sourceLocation)
        let record = try self.storedRecord()
        #expect(record.ranges == ByteRangeSet(0..<Int64(byteCount)), sourceLocation: sourceLocation)
        let bytes = self.bytes(Self.partial)?.prefix(byteCount)
        expectEqual(bytes, self.content.prefix(byteCount), sourceLocation: sourceLocation)
    }

    /// Calls again, and checks that the file is right and that the call began at the first byte.
    static func expectRestart(
        _ restart: DownloadRestart,
        in folder: TemporaryFolder,
        _ comment: @autoclosure () -> Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let scene = try TransferScene(in: folder)
        let result = try await scene.download()
        scene.expectComplete(comment(), sourceLocation: sourceLocation)
        #expect(result.restart == restart, comment(), sourceLocation: sourceLocation)
        #expect(result.resumedByteCount == 0, comment(), sourceLocation: sourceLocation)
        #expect(scene.ranges == [nil], comment(), sourceLocation: sourceLocation)
    }

    /// Returns the record beside the partial file.
    func storedRecord() throws -> DownloadRecord {
        try DownloadRecord(decoding: [UInt8](Data(contentsOf: self.folder.file(Self.record))))
    }

    /// Returns the content of a file in the folder; `nil` if there is none.
    func bytes(_ name: String) -> [UInt8]? { (try? Data(contentsOf: self.folder.file(name))).map { [UInt8]($0) } }

    /// Writes a file of the folder in place, so that its number stays the same.
    func overwrite(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: self.folder.file(name)) }

    /// Copies the partial file and the record as they are to a new folder, as if the machine had lost its power.
    ///
    /// The record comes first: bytes that are written later are more than it claims.
    func copiedFiles() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in [Self.record, Self.partial] {
            try FileManager.default.copyItem(at: self.folder.file(name), to: copy.file(name))
        }
        return copy
    }

    /// Creates a folder with the files of a call that ended after a number of bytes.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes.
    ///   - resource: The resource. Defaults to one of 100 bytes with a strong entity tag.
    ///   - url: The URL of the call.
    /// - Returns: A folder with copies of the files that the call left.
    /// - Throws: An error of the file system.
    static func interrupted(
        after byteCount: Int,
        _ resource: RangeServer = RangeServer(),
        _ url: String = Self.url
    ) async throws -> TemporaryFolder {
        let scene = try TransferScene(.cut(afterBodyByteCount: byteCount), resource: resource)
        #expect(await scene.failure(url) != nil)
        return try scene.copiedFiles()
    }
}

/// Returns the SHA-256 of bytes, computed without the client's code.
func sha256(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
