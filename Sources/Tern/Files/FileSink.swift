// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernCLibrary
import TernErrors
import TernFiles
import TernFoundation

/// A new file that one download writes to.
///
/// If the sink is released before ``finish(at:)`` has succeeded, it deletes the file.
final class FileSink: Sendable {
    typealias Failure = FileWriter.Failure

    /// The searches of all sinks of the process.
    private static let searches = Mutex(FolderSearches())

    private let path: String
    private let writer: FileWriter
    private let isSettled = Atomic<Bool>(false)

    /// Creates the file, which must not exist yet.
    ///
    /// Only the owner of the file can read it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isTemporary: Whether the file moves to another path of its folder later. If so, the sink deletes the files in
    ///     the folder that terminated processes left behind, unless a sink has done so within the last minute.
    ///   - now: The present time.
    /// - Throws: `.file` with the reason why the file cannot be created.
    init(path: String, isTemporary: Bool, at now: ContinuousClock.Instant) throws(Failure) {
        let place = FilePath(path)
        do throws(FileFailure) {
            self.writer = FileWriter(try OpenFolder(path: place.folder).createLocked(place.name))
        } catch {
            throw .file(error)
        }
        self.path = path
        guard isTemporary, Self.searches.withLock({ $0.begins(in: place.folder, at: now) }) else { return }
        self.writer.afterWriting { _ in
            guard let folder = try? OpenFolder(path: place.folder) else { return }
            TemporaryFileName.deleteAllAbandoned(in: folder)
        }
    }

    /// Creates a sink for an open descriptor of the file at `path`.
    ///
    /// Tests use it to make writes fail.
    init(path: String, descriptor: CInt) {
        self.path = path
        self.writer = FileWriter(descriptor)
    }

    deinit {
        if !self.isSettled.load(ordering: .relaxed) { unlink(self.path) }
    }

    /// Queues bytes to write, and waits while too many are queued; see ``FileWriter/write(_:)``.
    func write(_ bytes: ByteBuffer) async throws(Failure) { try await self.writer.write(bytes) }

    /// Waits for all writes, and then moves the file to its final path.
    ///
    /// - Returns: The location of the file.
    func finish(at place: FileDestination) async throws(Failure) -> URL {
        try await self.writer.drain()
        if place.finalPath != self.path {
            try await self.writer.perform { () throws(FileFailure) in
                guard rename(self.path, place.finalPath) == 0 else { throw FileFailure(errno: errno) }
            }
        }
        self.isSettled.store(true, ordering: .relaxed)
        return URL(fileURLWithPath: place.finalPath)
    }

    /// Deletes the file, and returns when the file is gone.
    func discard() async {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        await self.writer.run { _ in _ = unlink(self.path) }
    }
}
