// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFiles

/// Writes pieces to an open file, one after the other, on the caller's thread (``CallerWritesStateMachine``) or a queue.
///
/// Event loops and most threads of Swift concurrency must not wait for a slow disk. The queue writes all pieces that have arrived
/// meanwhile together. At most half a mebibyte, and one piece of each task, are in memory.
final class FileWriter: Sendable {
    enum Failure: Error {
        case cancelled
        case file(FileFailure)

        var saysNoDescriptorIsFree: Bool {
            if case .file(let failure) = self { failure.saysNoDescriptorIsFree } else { false }
        }
    }

    typealias Outcome = Result<Void, Failure>

    private struct Piece {
        let bytes: ByteBuffer
        /// The position in the file; `nil` for the present position of the descriptor.
        let offset: Int64?

        /// Returns whether one system call can write `other` and then this piece.
        func follows(_ other: Piece) -> Bool {
            self.offset == other.offset.map { $0 + Int64(other.bytes.readableBytes) }
        }
    }

    private struct Pending {
        var pieces: [Piece] = []
        /// The number of bytes in ``pieces``, plus the bytes that are being written.
        var byteCount = 0
        /// Whether a thread writes now, or will begin at once.
        var isWriting = false
        var blockCount = 0
        var failure: Failure?
        /// The tasks that wait for the disk, and the number of remaining bytes at which each continues.
        var waits: [(suspension: Suspension<Outcome>, byteCount: Int)] = []

        /// Returns whether to begin to write, which the caller must then do: nothing is being written, and enough bytes wait.
        mutating func starts(at byteCount: Int) -> Bool {
            guard !self.isWriting, self.byteCount >= byteCount else { return false }
            self.isWriting = true
            return true
        }

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
    private let isOnLocalDisk: Bool
    private let pending = Mutex(Pending())

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

    /// The number of waiting bytes at which a task continues, so that it does not wait again for each piece.
    private static let resumedByteCount = maximumPendingByteCount / 2

    /// Queues bytes to write, and waits while too many are queued; throws the failure of an earlier write.
    ///
    /// Several tasks may write pieces that do not overlap, each at its `offset`. Without an offset, only one task may call this
    /// method at a time.
    func write(_ bytes: ByteBuffer, at offset: Int64? = nil) async throws(Failure) {
        let starts = self.pending.withLock { pending in
            pending.pieces.append(Piece(bytes: bytes, offset: offset))
            pending.byteCount += bytes.readableBytes
            return pending.starts(at: Self.startByteCount)
        }
        if starts { self.beginWriting() }
        try await self.settlePending(from: Self.maximumPendingByteCount, downTo: Self.resumedByteCount)
    }

    /// Waits until all bytes that were queued are written; cancellation ends the wait.
    func drain() async throws(Failure) {
        if self.pending.withLock({ $0.starts(at: 1) }) { self.beginWriting() }
        try await self.settlePending(from: 0, downTo: 0)
    }

    /// Writes all bytes that were queued before, and then runs work on the queue, with the failure of a write, if any.
    func afterWriting(_ work: @escaping @Sendable (Failure?) -> Void) {
        self.pending.withLock { $0.blockCount += 1 }
        self.queue.async {
            // A task may have begun to write whose block comes only after this one.
            self.writePending()
            work(self.pending.withLock { $0.failure })
            self.pending.withLock { $0.blockCount -= 1 }
        }
    }

    /// Writes all bytes that were queued before, runs work on the queue, whatever happens to the task, and returns its result.
    func run<Value: Sendable>(_ work: @escaping @Sendable (Failure?) -> Value) async -> Value {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            self.afterWriting { continuation.resume(returning: work($0)) }
        }
    }

    /// Runs work like ``run(_:)``, unless a write has failed.
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

    /// If more than `maximumByteCount` bytes are left to write, waits until at most `byteCount` are.
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

    /// Writes pieces with as few system calls as possible; calls itself, because a piece's memory is valid only inside a closure.
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
