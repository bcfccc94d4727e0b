// SPDX-License-Identifier: Apache-2.0
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
/// queue writes the file. After each write, the queue writes all pieces that have arrived meanwhile, so that not every
/// short piece costs a change of threads. At most half a mebibyte and one piece are in memory. If the sink is released
/// before ``finish(at:)`` has succeeded, it deletes the file.
final class FileSink: Sendable {
    /// The reason why a file could not be written.
    enum Failure: Error {
        case cancelled
        case file(FileFailure)
    }

    private typealias Outcome = Result<Void, Failure>

    /// The pieces that are not written yet.
    private struct Pending {
        var pieces: [ByteBuffer] = []
        /// The number of bytes in ``pieces``, plus the bytes that the queue is writing.
        var byteCount = 0
        var isWriting = false
        var failure: Failure?
        /// The suspension of the task that waits for the disk, and the number of remaining bytes at which the task
        /// continues.
        var wait: (suspension: Suspension<Outcome>, byteCount: Int)?

        /// Returns whether the queue must begin to write: it is not writing, and enough bytes wait.
        mutating func starts(at byteCount: Int) -> Bool {
            guard !self.isWriting, self.byteCount >= byteCount else { return false }
            self.isWriting = true
            return true
        }

        /// Returns the suspension to resume and its outcome, if the task need not wait longer.
        mutating func takeWait() -> (suspension: Suspension<Outcome>, outcome: Outcome)? {
            guard let wait = self.wait, self.byteCount <= wait.byteCount || self.failure != nil else { return nil }
            self.wait = nil
            return (wait.suspension, self.failure.map { .failure($0) } ?? .success(()))
        }
    }

    private let path: String
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "tern.file-sink")
    private let pending = Mutex(Pending())
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

    /// The number of waiting bytes above which ``write(_:)`` waits for the disk.
    private static let maximumPendingByteCount = 512 << 10
    /// The number of waiting bytes at which the queue begins to write.
    private static let startByteCount = 128 << 10

    /// The number of waiting bytes at which a task that has waited for the disk continues.
    ///
    /// It is half of the maximum, so that the task does not wait again for each piece.
    private static let resumedByteCount = maximumPendingByteCount / 2

    /// Queues bytes to write, and waits while too many are queued.
    ///
    /// Only one task may call this method at a time.
    ///
    /// If the write fails, a later call throws its error.
    func write(_ bytes: ByteBuffer) async throws(Failure) {
        let starts = self.pending.withLock { pending in
            pending.pieces.append(bytes)
            pending.byteCount += bytes.readableBytes
            return pending.starts(at: Self.startByteCount)
        }
        if starts { self.queue.async { self.writePending() } }
        try await self.settlePending(from: Self.maximumPendingByteCount, downTo: Self.resumedByteCount)
    }

    /// Waits for all writes, and then moves the file to its final path.
    ///
    /// - Returns: The location of the file.
    func finish(at place: FileDestination) async throws(Failure) -> URL {
        if self.pending.withLock({ $0.starts(at: 1) }) { self.queue.async { self.writePending() } }
        try await self.settlePending(from: 0, downTo: 0)
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

    /// Runs work on the queue; cancellation does not interrupt it.
    private func perform(_ work: @escaping @Sendable () -> Outcome) async throws(Failure) {
        try await self.queue.perform(work).get()
    }

    /// If more than `maximumByteCount` bytes are left to write, waits until at most `byteCount` bytes are left.
    private func settlePending(from maximumByteCount: Int, downTo byteCount: Int) async throws(Failure) {
        let wait = try self.pending.withLock { pending throws(Failure) -> Suspension<Outcome>? in
            if let failure = pending.failure { throw failure }
            guard pending.byteCount > maximumByteCount else { return nil }
            let suspension = Suspension<Outcome>()
            pending.wait = (suspension, byteCount)
            return suspension
        }
        try await wait?.wait(onCancel: .failure(.cancelled)).get()
    }

    /// Writes everything that is queued; runs on the queue.
    private func writePending() {
        var pieces: [ByteBuffer] = []
        while true {
            let isOver = self.pending.withLock { pending in
                swap(&pieces, &pending.pieces)
                if pieces.isEmpty { pending.isWriting = false }
                return pieces.isEmpty
            }
            if isOver { return }
            for start in stride(from: 0, to: pieces.count, by: Self.joinedPieceCount) {
                self.writeNow(pieces[start..<min(start + Self.joinedPieceCount, pieces.count)])
            }
            pieces.removeAll(keepingCapacity: true)
        }
    }

    /// The maximum number of pieces that the queue passes to the system in one call.
    private static let joinedPieceCount = 16

    /// Writes pieces, unless an earlier write has failed.
    private func writeNow(_ pieces: ArraySlice<ByteBuffer>) {
        let hasFailed = self.pending.withLock { $0.failure != nil }
        let failure = hasFailed ? nil : Self.write(pieces, to: self.descriptor)
        let resumed = self.pending.withLock { pending in
            for bytes in pieces { pending.byteCount -= bytes.readableBytes }
            if let failure { pending.failure = .file(failure) }
            return pending.takeWait()
        }
        if let resumed { resumed.suspension.resume(with: resumed.outcome) }
    }

    /// Writes pieces with as few system calls as possible.
    ///
    /// The memory of a piece is valid only inside a closure. So the function calls itself inside the closure of each
    /// piece, and writes in the innermost call.
    private static func write(
        _ pieces: ArraySlice<ByteBuffer>,
        after regions: [UnsafeRawBufferPointer] = [],
        to descriptor: CInt
    ) -> FileFailure? {
        guard let piece = pieces.first else { return OpenFile.write(regions, to: descriptor) }
        return piece.withUnsafeReadableBytes { bytes in
            self.write(pieces.dropFirst(), after: regions + [bytes], to: descriptor)
        }
    }
}
