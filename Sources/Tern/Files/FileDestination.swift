// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles
import TernFoundation

/// The destination of a download, to which a new file moves when the body is complete.
struct FileDestination: Sendable {
    let partialPath: String
    /// The path of the complete file, equal to ``partialPath`` for a temporary file.
    let finalPath: String

    /// Chooses a new name in the folder of `destination`, so that the file can move in one step, or in the temporary folder.
    init(_ destination: URL?) throws(FileSink.Failure) {
        guard let destination else {
            let name = "tern-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            self.partialPath = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
            self.finalPath = self.partialPath
            return
        }
        guard destination.isFileURL else { throw .file(.notAFileURL) }
        self.finalPath = destination.path
        let status: FileStatus?
        do throws(FileFailure) {
            status = try FileStatus(path: self.finalPath)
        } catch {
            if error == .system(errno: ENAMETOOLONG) { throw .file(error) }  // fail before anything is sent
            status = nil
        }
        switch status?.kind {
        case .regular, nil: break
        case .folder: throw .file(.isDirectory)
        case .link, .other: throw .file(.notAFile)  // moving a file over a device would replace the device
        }
        let folder = destination.deletingLastPathComponent()
        let maximum = OpenFolder.maximumNameByteCount(inFolder: folder.path)
        let form = TemporaryFileName(for: destination.lastPathComponent, maximumByteCount: maximum)
        self.partialPath = folder.appendingPathComponent(form.make()).path
    }

    func open(at now: ContinuousClock.Instant = .now) throws(FileSink.Failure) -> FileSink {
        try FileSink(path: self.partialPath, isTemporary: self.partialPath != self.finalPath, at: now)
    }

    /// Creates the file, and closes idle connections if no descriptor is free.
    func openWithRoom() async throws(FileSink.Failure) -> FileSink {
        try await IdleConnections.process.opening(whileShort: \.saysNoDescriptorIsFree) {
            () throws(FileSink.Failure) in
            try self.open()
        }
    }
}
