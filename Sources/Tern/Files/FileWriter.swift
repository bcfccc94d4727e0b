// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFiles

/// Writes pieces to an open file, one after the other.
///
/// While the disk is fast, the thread that brings the pieces writes them (``CallerWritesStateMachine``). A disk may be
/// slow, and event loops and most threads of Swift concurrency must not wait for it. So a queue of the file writes
/// otherwise. After each write, the queue writes all pieces that have arrived meanwhile, so that not every short
/// piece costs a change of threads. At most half a mebibyte and one piece are in memory.
final class FileWriter: Sendable {
    /// The reason why a file could not be written.
    enum Failure: Error {
        case cancelled
        case file(FileFailure)

        /// Whether the file could not be opened because no descriptor is free.
        var saysNoDescriptorIsFree: Bool {
            if case .file(let failure) = self { failure.saysNoDescriptorIsFree } else { false }
        }
    }

    typealias Outcome = Result<Void, Failure>

    /// Bytes to write.
    private struct Piece {
        let bytes: ByteBuffer
        /// The position in the file; `nil` for the present position of the descriptor.
        let offset: Int64?

        /// Returns whether one system call can write a piece and this one.
        func follows(_ other: Piece) -> Bool {
            self.offset == other.offset.map { $0 + Int64(other.bytes.readableBytes) }
        }
    }

    /// The pieces that are not written yet.
    private struct Pending {
        var pieces: [Piece] = []
        /// The number of bytes in ``pieces``, plus the bytes that are being written.
        var byteCount = 0
        /// Whether a thread writes now, or will begin at once: a thread of the queue, or that of a caller.
        var isWriting = false
        /// The number of blocks on the queue that do other work.
        var blockCount = 0
        var failure: Failure?
        /// The suspensions of the tasks that wait for the disk, and the number of remaining bytes at which each task
        /// continues.
        var waits: [(suspension: Suspension<Outcome>, byteCount: Int)] = []

        /// Returns whether to begin to write: nothing is being written, and enough bytes wait.
        ///
        /// After `true`, ``isWriting`` is set, so the caller must begin to write.
        mutating func starts(at byteCount: Int) -> Bool {
            guard !self.isWriting, self.byteCount >= byteCount else { return false }
            self.isWriting = true
            return true
        }

        /// Returns the suspensions to resume and their outcome, for the tasks that need not wait longer.
        mutating func takeWaits() -> (suspensions: [Suspension<Outcome>], outcome: Outcome) {
            let byteCount = self.failure == nil ? self.byteCount : 0
            let suspensions = self.waits.filter { byteCount <= $0.byteCount }.map(\.suspension)
            if !suspensions.isEmpty { self.waits.removeAll { byteCount <= $0.byteCount } }
            return (suspensions, self.failure.map { .failure($0) } ?? .success(()))
        }
    }

    /// The descriptor of the file, which the writer closes when it is released.
    let descriptor: CInt

    /// The writes on the threads of callers, of all files, because they share the threads.
    private static let callerWrites = Mutex(CallerWritesStateMachine(processorCount: System.coreCount))
    private static let clock = SystemClock()

    private let queue: DispatchQueue
    /// Whether the threads of callers may write the file.
    private let isOnLocalDisk: Bool
    private let pending = Mutex(Pending())

    /// Creates a writer that continues at the current position of an open file.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        self.isOnLocalDisk = OpenFile.isOnLocalDisk(descriptor)
        self.queue = DispatchQueue(label: "tern.file-writer")
    }

    deinit { OpenFile.closeLocked(self.descriptor) }

    /// The number of waiting bytes above which ``write(_:)`` waits for the disk.
    private static let maximumPendingByteCount = 512 << 10
    /// The number of waiting bytes at which a write begins.
    private static let startByteCount = 128 << 10

    /// The number of waiting bytes at which a task that has waited for the disk continues.
    ///
    /// It is half of the maximum, so that the task does not wait again for each piece.
    private static let resumedByteCount = maximumPendingByteCount / 2

    /// Queues bytes to write, and waits while too many are queued.
    ///
    /// Several tasks may write pieces that do not overlap, each at its position. Without a position, only one task may
    /// call this method at a time.
    ///
    /// If the write fails, a later call throws its error.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - offset: The position in the file. Defaults to `nil`: after the bytes that were written before.
    /// - Throws: The failure of an earlier write; `.cancelled` when the task is cancelled while it waits.
    func write(_ bytes: ByteBuffer, at offset: Int64? = nil) async throws(Failure) {
        let starts = self.pending.withLock { pending in
            pending.pieces.append(Piece(bytes: bytes, offset: offset))
            pending.byteCount += bytes.readableBytes
            return pending.starts(at: Self.startByteCount)
        }
        if starts { self.beginWriting() }
        try await self.settlePending(from: Self.maximumPendingByteCount, downTo: Self.resumedByteCount)
    }

    /// Waits until all bytes that were queued are written.
    ///
    /// Cancellation ends the wait.
    func drain() async throws(Failure) {
        if self.pending.withLock({ $0.starts(at: 1) }) { self.beginWriting() }
        try await self.settlePending(from: 0, downTo: 0)
    }

    /// Writes all bytes that were queued before, and then runs more work on the queue.
    ///
    /// - Parameter work: The work; its argument is the failure of a write, if there was one.
    func afterWriting(_ work: @escaping @Sendable (Failure?) -> Void) {
        self.pending.withLock { $0.blockCount += 1 }
        self.queue.async {
            // A task may have begun to write whose block comes only after this one.
            self.writePending()
            work(self.pending.withLock { $0.failure })
            self.pending.withLock { $0.blockCount -= 1 }
        }
    }

    /// Writes all bytes that were queued before, then runs work on the queue, and returns its result.
    ///
    /// Cancellation does not interrupt this.
    ///
    /// - Parameter work: The work; its argument is the failure of a write, if there was one.
    /// - Returns: The result of the work.
    func run<Value: Sendable>(_ work: @escaping @Sendable (Failure?) -> Value) async -> Value {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            self.afterWriting { continuation.resume(returning: work($0)) }
        }
    }

    /// Writes all bytes that were queued before, and then runs work on the queue, unless a write has failed.
    ///
    /// Cancellation does not interrupt this.
    func perform(_ work: @escaping @Sendable () throws(FileFailure) -> Void) async throws(Failure) {
        let outcome: Outcome = await self.run { failure in
            if let failure { return .failure(failure) }
            do throws(FileFailure) {
                return .success(try work())
            } catch {
                return .failure(.file(error))
            }
        }
        try outcome.get()
    }

    /// If more than `maximumByteCount` bytes are left to write, waits until at most `byteCount` bytes are left.
    private func settlePending(from maximumByteCount: Int, downTo byteCount: Int) async throws(Failure) {
        let wait = try self.pending.withLock { pending throws(Failure) -> Suspension<Outcome>? in
            if let failure = pending.failure { throw failure }
            guard pending.byteCount > maximumByteCount else { return nil }
            let suspension = Suspension<Outcome>()
            pending.waits.append((suspension, byteCount))
            return suspension
        }
        try await wait?.wait(onCancel: .failure(.cancelled)).get()
    }

    /// Begins to write on this thread or on the queue, after ``Pending/starts(at:)`` has returned `true`.
    private func beginWriting() {
        // An executor may be an event loop.
        let isOnPool = withUnsafeCurrentTask { $0?.unownedTaskExecutor == nil }
        let isQueueFree = self.pending.withLock { $0.blockCount == 0 }
        guard self.isOnLocalDisk, isOnPool, isQueueFree, Self.callerWrites.withLock({ $0.begins() }) else {
            return self.queue.async { self.writePending() }
        }
        let start = Self.clock.now
        let waitCount = ThreadWaits.count()
        // The queue runs other work only after this write.
        let isOver = self.queue.sync { self.writeBatch() }
        let hasWaited = ThreadWaits.count().map { $0 != waitCount } ?? true
        Self.callerWrites.withLock { $0.ended(after: start.duration(to: Self.clock.now), hasWaited: hasWaited) }
        // Other tasks may bring pieces all the time, and this task must go on.
        if !isOver { self.queue.async { self.writePending() } }
    }

    /// Writes everything that is queued; runs on the queue.
    private func writePending() { while !self.writeBatch() {} }

    /// Writes the pieces that are queued now; returns whether nothing is left, so that the writing is over.
    private func writeBatch() -> Bool {
        let pieces = self.pending.withLock { pending in
            let pieces = pending.pieces
            pending.pieces = []
            return pieces
        }
        var rest = pieces[...]
        while !rest.isEmpty {
            let joined = rest.prefix(Self.joinedCount(of: rest))
            self.writeNow(joined)
            rest = rest.dropFirst(joined.count)
        }
        return self.pending.withLock { pending in
            pending.isWriting = !pending.pieces.isEmpty
            return !pending.isWriting
        }
    }

    /// The maximum number of pieces that the queue passes to the system in one call.
    private static let joinedPieceCount = 16

    /// Returns the number of the first pieces that one system call can write.
    private static func joinedCount(of pieces: ArraySlice<Piece>) -> Int {
        let following = zip(pieces.dropFirst().prefix(Self.joinedPieceCount - 1), pieces).prefix { $0.follows($1) }
        return 1 + following.count
    }

    /// Writes pieces, unless an earlier write has failed.
    private func writeNow(_ pieces: ArraySlice<Piece>) {
        let hasFailed = self.pending.withLock { $0.failure != nil }
        let failure = hasFailed ? nil : Self.write(pieces, to: self.descriptor, at: pieces.first?.offset)
        let resumed = self.pending.withLock { pending in
            for piece in pieces { pending.byteCount -= piece.bytes.readableBytes }
            if let failure { pending.failure = .file(failure) }
            return pending.takeWaits()
        }
        for suspension in resumed.suspensions { suspension.resume(with: resumed.outcome) }
    }

    /// Writes pieces with as few system calls as possible.
    ///
    /// The memory of a piece is valid only inside a closure. So the function calls itself inside the closure of each
    /// piece, and writes in the innermost call.
    private static func write(
        _ pieces: ArraySlice<Piece>,
        after regions: [UnsafeRawBufferPointer] = [],
        to descriptor: CInt,
        at offset: Int64?
    ) -> FileFailure? {
        guard let piece = pieces.first else { return OpenFile.write(regions, to: descriptor, at: offset) }
        return piece.bytes.withUnsafeReadableBytes { bytes in
            self.write(pieces.dropFirst(), after: regions + [bytes], to: descriptor, at: offset)
        }
    }
}
