// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernFoundation

extension System {
    /// The time at which a file was changed last.
    struct ModificationTime: Equatable, Sendable {
        let seconds: Int
        let nanoseconds: Int
    }

    /// Returns the time at which a file or a folder was changed last; `nil` if it does not exist.
    static func modificationTime(ofFile path: String) -> ModificationTime? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let time = status.modificationTime
        return ModificationTime(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }

    /// Sets the times of the last change and of the last access of a file, in seconds since 1970.
    ///
    /// - Returns: `false` if the system refuses.
    static func setModificationTime(of descriptor: CInt, to seconds: Int64) -> Bool {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        return futimens(descriptor, [time, time]) == 0
    }

    /// Returns whether a path leads to a folder.
    static func isFolder(atPath path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the absolute form of a path that is relative to the current folder.
    ///
    /// Components such as `..` stay, because a link before them may lead to another folder.
    static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let folder = FileManager.default.currentDirectoryPath
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// Returns the absolute path of a file, without symbolic links and `..`; `nil` if the file does not exist.
    static func realPath(_ path: String) -> String? {
        guard let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    /// Returns the contents of a file that the user named.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the file in the message. Defaults to the path.
    ///   - outcome: The outcome of the command if the file cannot be read. Defaults to `.usage`.
    /// - Returns: The contents.
    /// - Throws: `CommandFailure` with the system's reason if the file cannot be read.
    static func contents(
        ofFile path: String,
        called name: String? = nil,
        else outcome: Outcome = .usage
    ) throws(CommandFailure) -> Data {
        if let data = try? Data(contentsOf: URL(filePath: path)) { return data }
        let reason = Self.readingError(ofFile: path).map { ": \(Self.text(ofError: $0))" } ?? ""
        throw CommandFailure(outcome: outcome, message: "\(name ?? path) cannot be read\(reason)")
    }

    /// Returns the contents of a file that the user named; `nil` if it cannot be read.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which may be endless, such as that of a device.
    ///   - limit: The number of bytes after which reading ends.
    /// - Returns: The contents; more than `limit` bytes of a file that is longer.
    static func contents(ofFile path: String, atMost limit: Int) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Self.close(descriptor) }
        var data = Data()
        while data.count <= limit {
            guard let piece = try? Self.read(from: descriptor, upTo: 64 << 10) else { return nil }
            if piece.isEmpty { break }
            data += piece
        }
        return data
    }

    /// Returns the error number with which the system refuses to read a file; `nil` if it does not refuse.
    private static func readingError(ofFile path: String) -> CInt? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { Self.close(descriptor) }
        var byte: UInt8 = 0
        return TernCLibrary.read(descriptor, &byte, 1) < 0 ? errno : nil
    }
}
