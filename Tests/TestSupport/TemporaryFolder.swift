// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A folder for one test, which is deleted with its content when this value is deallocated.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        self.url = FileManager.default.temporaryDirectory.appendingPathComponent("tern-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: self.url) }

    /// The sorted names of all files in the folder, including hidden files.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: self.url.path).sorted() }
    }

    public func file(_ name: String) -> URL { self.url.appendingPathComponent(name) }

    /// Writes a file, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: self.file(name))
        return self.file(name).path
    }

    public func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: self.file(name)), as: UTF8.self)
    }

    /// Shortens a file, even while another part of the process has it open.
    public func truncate(_ name: String, to byteCount: UInt64) throws {
        let handle = try FileHandle(forWritingTo: self.file(name))
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }

    public func remove(_ name: String) throws { try FileManager.default.removeItem(at: self.file(name)) }

    /// Returns whether a descriptor of this process refers to a file.
    public static func isOpen(_ descriptor: CInt, _ file: URL) -> Bool {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return link == file.path
    }
}
