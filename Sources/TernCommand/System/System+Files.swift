// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernFoundation

extension System {
    struct ModificationTime: Equatable, Sendable {
        let seconds: Int
        let nanoseconds: Int
    }

    static func modificationTime(ofFile path: String) -> ModificationTime? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let time = status.modificationTime
        return ModificationTime(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    }

    static func setModificationTime(of descriptor: CInt, to seconds: Int64) -> Bool {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        return futimens(descriptor, [time, time]) == 0
    }

    static func isFolder(atPath path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

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

    /// Returns the contents of a file that the user named, or throws the system's reason.
    static func contents(
        ofFile path: String,
        called name: String? = nil,
        else outcome: Outcome = .usage
    ) throws(CommandFailure) -> Data {
        if let data = try? Data(contentsOf: URL(filePath: path)) { return data }
        let reason = Self.readingError(ofFile: path).map { ": \(Self.text(ofError: $0))" } ?? ""
        throw CommandFailure(outcome: outcome, message: "\(name ?? path) cannot be read\(reason)")
    }

    /// Returns more than `limit` bytes if a file is longer, even if it is an endless device.
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

    private static func readingError(ofFile path: String) -> CInt? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { Self.close(descriptor) }
        var byte: UInt8 = 0
        return TernCLibrary.read(descriptor, &byte, 1) < 0 ? errno : nil
    }
}
