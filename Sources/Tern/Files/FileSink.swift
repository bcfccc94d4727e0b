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

/// A new file that one download is written to.
///
/// Writing happens on a queue of its own, because a disk may be slow and neither the threads of Swift concurrency nor an
/// event loop may wait for one. Up to two writes are under way while the next bytes are awaited, so that neither side
/// waits for the other's thread to wake, and memory holds three pieces at most. Released before ``finish(at:)``, the file is deleted.
final class FileSink: Sendable {
    /// Why a file could not be written.
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

    /// Creates the file, which must not exist yet, for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - form: the form of its name, if it is to be moved to another: files of that form that processes left which were
    ///     ended are deleted before anything is written.
    /// - Throws: `.file` with the reason.
    init(path: String, _ form: PartialName? = nil) throws(Failure) {
        let place = FilePath(path)
        do throws(FileFailure) {
            self.descriptor = try OpenFolder(path: place.folder).createHeld(place.name)
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

    /// Writes to an open descriptor, which `path` names; for tests of writing that fails.
    init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(self.descriptor)
        if !self.isSettled.load(ordering: .relaxed) { unlink(self.path) }
    }

    /// How many writes may be under way.
    private static let maximumPendingCount = 2

    /// Begins to write, once there are not too many writes under way; a failure is thrown by a later call.
    func write(_ bytes: ByteBuffer) async throws(Failure) {
        try await self.settlePending(downTo: Self.maximumPendingCount - 1)
        let suspension = Suspension<Outcome>()
        self.pending.withLock { $0.append(suspension) }
        self.queue.async { suspension.resume(with: self.writeNow(bytes)) }
    }

    /// Waits for all that was written, and gives the file its final name.
    ///
    /// - Returns: where it is.
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

    /// Deletes the file; returns when it is gone.
    func discard() async {
        guard !self.isSettled.exchange(true, ordering: .relaxed) else { return }
        try? await self.perform { .success(_ = unlink(self.path)) }
    }

    /// Does something that cancellation must not interrupt.
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
