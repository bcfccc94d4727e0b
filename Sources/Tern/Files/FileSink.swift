// SPDX-License-Identifier: Apache-2.0
import DequeModule
import Dispatch
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A new file that one download writes to.
///
/// A disk may be slow, and the threads of Swift concurrency and of event loops must not wait for it. So a separate
/// queue writes the file. While the next bytes arrive, up to two writes wait or run on the queue. So the network and
/// the disk keep each other busy, and at most three pieces are in memory. If the sink is released before
/// ``finish(at:)``, it deletes the file.
final class FileSink: Sendable {
    /// The reason why a file could not be written.
    enum Failure: Error {
        case cancelled
        case file(FileFailure)
    }

    private typealias Outcome = Result<Void, Failure>

    private let path: String
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "tern.file-sink")
    private let pending = Mutex<Deque<Suspension<Outcome>>>([])
    private let isSettled = Atomic<Bool>(false)

    /// Creates the file, which must not exist yet.
    ///
    /// Only the owner of the file can read it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - form: The pattern of the file's name, if the file moves to another path later. Before it writes, the sink
    ///     deletes files with this pattern that a terminated process left behind. Defaults to `nil`.
    /// - Throws: `.file` with the reason why the file cannot be created.
    init(path: String, _ form: TemporaryFileName? = nil) throws(Failure) {
        let place = FilePath(path)
        do throws(FileFailure) {
            self.descriptor = try OpenFolder(path: place.folder).createLocked(place.name)
        } catch {
            throw .file(error)
        }
        self.path = path
        guard let form else { return }
        self.queue.async {
            guard let folder = try? OpenFolder(path: place.folder) else { return }
            form.deleteAbandoned(in: folder)
        }
    }

    /// Creates a sink for an open descriptor of the file at `path`.
    ///
    /// Tests use it to make writes fail.
    init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(self.descriptor)
        if !self.isSettled.load(ordering: .relaxed) { unlink(self.path) }
    }

    /// The maximum number of writes that wait or run on the queue.
    private static let maximumPendingCount = 2

    /// Adds a write to the queue, and first waits if the queue has the maximum number of writes.
    ///
    /// If this write fails, a later call throws its error.
    func write(_ bytes: ByteBuffer) async throws(Failure) {
        try await self.settlePending(downTo: Self.maximumPendingCount - 1)
        let suspension = Suspension<Outcome>()
        self.pending.withLock { $0.append(suspension) }
        self.queue.async { suspension.resume(with: self.writeNow(bytes)) }
    }

    /// Waits for all writes, and then moves the file to its final path.
    ///
    /// - Returns: The location of the file.
    func finish(at place: FileDestination) async throws(Failure) -> URL {
        try await self.settlePending(downTo: 0)
        if place.finalPath != self.path {
            try await self.perform {
                let isDone = rename(self.path, place.finalPath) == 0
                return isDone ? .success(()) : .failure(.file(FileFailure(errno: errno)))
            }
        }
        self.isSettled.store(true, ordering: .relaxed)
        return URL(fileURLWithPath: place.finalPath)
    }

    /// Deletes the file, and returns when the file is gone.
    func discard() async {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        try? await self.perform { .success(_ = unlink(self.path)) }
    }

    /// Runs work that cancellation must not interrupt.
    private func perform(_ work: @escaping @Sendable () -> Outcome) async throws(Failure) {
        try await self.queue.perform(work).get()
    }

    private func settlePending(downTo count: Int) async throws(Failure) {
        while let oldest = self.pending.withLock({ $0.count > count ? $0.popFirst() : nil }) {
            try await oldest.wait(onCancel: .failure(.cancelled)).get()
        }
    }

    private func writeNow(_ bytes: ByteBuffer) -> Outcome {
        let failure = bytes.withUnsafeReadableBytes { OpenFile.write($0, to: self.descriptor) }
        return failure.map { .failure(.file($0)) } ?? .success(())
    }
}
