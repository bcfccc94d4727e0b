// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A folder for one test, deleted with what is in it when released.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Creates an empty folder.
    public init() throws {
        self.url = FileManager.default.temporaryDirectory.appendingPathComponent("tern-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: self.url) }

    /// The names of all that is in the folder, hidden files included, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: self.url.path).sorted() }
    }

    /// Where a file of this name is, or would be.
    public func file(_ name: String) -> URL { self.url.appendingPathComponent(name) }

    /// Writes a file and gives its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: self.file(name))
        return self.file(name).path
    }

    /// Returns the content of a file, as text.
    public func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: self.file(name)), as: UTF8.self)
    }

    /// Shortens a file while another part of the process has it open.
    public func truncate(_ name: String, to byteCount: UInt64) throws {
        let handle = try FileHandle(forWritingTo: self.file(name))
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }

    /// Deletes a file.
    public func remove(_ name: String) throws { try FileManager.default.removeItem(at: self.file(name)) }

    /// Whether a descriptor of this process is open on a file.
    public static func isOpen(_ descriptor: CInt, _ file: URL) -> Bool {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return link == file.path
    }
}
