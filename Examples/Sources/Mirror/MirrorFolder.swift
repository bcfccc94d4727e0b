// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder of a mirror: complete files, and parts of others in a folder of their own.
struct MirrorFolder: Sendable {
    /// A complete file could not be put in its place.
    struct Unmovable: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(self.path) cannot be written: \(self.reason)" }
    }

    let root: URL

    var ledgerFile: URL { self.root.appendingPathComponent(".mirror.json") }

    func file(_ item: MirrorItem) -> URL { self.root.appendingPathComponent(item.path) }
    func part(_ item: MirrorItem) -> URL {
        self.root.appendingPathComponent(".parts").appendingPathComponent(item.path)
    }

    /// Makes the folders that a file needs.
    func prepare(_ item: MirrorItem) throws {
        for file in [self.file(item), self.part(item)] {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        }
    }

    /// How long a file is; `nil` if it is not there.
    static func byteCount(_ file: URL) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    /// Opens the part for writing behind its first bytes, of which so many are kept.
    func openPart(_ item: MirrorItem, keeping byteCount: Int64) throws -> FileHandle {
        let part = self.part(item)
        if !FileManager.default.fileExists(atPath: part.path) {
            _ = FileManager.default.createFile(atPath: part.path, contents: nil)
        }
        let handle = try FileHandle(forWritingTo: part)
        try handle.truncate(atOffset: UInt64(byteCount))
        try handle.seekToEnd()
        return handle
    }

    /// Puts the complete part in its place, in one step: a reader has the old one or the new one, whole.
    func finish(_ item: MirrorItem) throws {
        guard rename(self.part(item).path, self.file(item).path) == 0 else {
            throw Unmovable(path: self.file(item).path, reason: String(cString: strerror(errno)))
        }
    }
}
