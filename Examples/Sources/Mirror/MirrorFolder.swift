// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder of a mirror, which has the complete files, and a separate folder for partial files.
struct MirrorFolder: Sendable {
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

    func prepare(_ item: MirrorItem) throws {
        for file in [self.file(item), self.part(item)] {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        }
    }

    static func byteCount(_ file: URL) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    /// Opens the part for writing, keeps its first `byteCount` bytes, and removes the rest.
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

    /// Moves the complete part to its place in one step, so that a reader sees a complete file, old or new.
    func finish(_ item: MirrorItem) throws {
        guard rename(self.part(item).path, self.file(item).path) == 0 else {
            throw Unmovable(path: self.file(item).path, reason: String(cString: strerror(errno)))
        }
    }
}
