// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernCLibrary
import TernErrors
import TernFiles
import TernFoundation

/// A new file that one download writes to, deleted unless ``finish(at:)`` succeeds before the sink is released.
final class FileSink: Sendable {
    typealias Failure = FileWriter.Failure

    private static let searches = Mutex(FolderSearches())

    private let path: String
    private let writer: FileWriter
    private let isSettled = Atomic<Bool>(false)

    /// Creates the file, which must not exist yet; for a temporary one, deletes those that terminated processes left in the
    /// folder, at most once a minute.
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

    /// Creates a sink for an open descriptor, with which tests make writes fail.
    init(path: String, descriptor: CInt) {
        self.path = path
        self.writer = FileWriter(descriptor)
    }

    deinit {
        if !self.isSettled.load(ordering: .relaxed) { unlink(self.path) }
    }

    func write(_ bytes: ByteBuffer) async throws(Failure) { try await self.writer.write(bytes) }

    /// Waits for all writes, moves the file to its final path, and returns its location.
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
