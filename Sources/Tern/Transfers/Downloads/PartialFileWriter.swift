// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFiles
import TernTransfers

/// Writes the partial file of a durable download, and synchronizes it on another queue, so that writing goes on.
final class PartialFileWriter: Sendable {
    typealias Failure = FileWriter.Failure

    private struct Synchronization {
        var hasEnded = false
        var failure: FileFailure?
    }

    let file: PartialFile

    private let writer: FileWriter
    private let queue = DispatchQueue(label: "tern.file-synchronization")
    private let synchronization = Mutex(Synchronization())
    /// Whether a synchronization, or an action after it, has ended or failed since the last look.
    private let hasNews = Atomic(false)

    init(_ file: PartialFile) {
        self.file = file
        self.writer = FileWriter(file.descriptor)
    }

    // MARK: Bytes

    /// Queues bytes to write; bytes after the end of the file leave a gap, which takes no space on most file systems.
    func write(_ bytes: ByteBuffer, at offset: Int64) async throws(Failure) {
        try await self.writer.write(bytes, at: offset)
    }

    // MARK: Synchronizing beside the writes

    func beginSynchronization() {
        self.writer.afterWriting { failure in
            if case .file(let failure)? = failure { return self.end(failure) }
            self.queue.async {
                do throws(FileFailure) {
                    try OpenFile.synchronize(self.file.descriptor)
                    self.end(nil)
                } catch {
                    self.end(error)
                }
            }
        }
    }

    private func end(_ failure: FileFailure?) {
        self.synchronization.withLock { state in
            state.hasEnded = failure == nil
            state.failure = state.failure ?? failure
            self.hasNews.store(true, ordering: .releasing)
        }
    }

    /// Returns whether a synchronization has succeeded since the last call, or throws the failure of a synchronization, or of an
    /// action after one.
    func takeEndOfSynchronization() throws(Failure) -> Bool {
        guard self.hasNews.load(ordering: .acquiring) else { return false }
        return try self.synchronization.withLock { state throws(Failure) in
            if let failure = state.failure { throw .file(failure) }
            self.hasNews.store(false, ordering: .relaxed)
            defer { state.hasEnded = false }
            return state.hasEnded
        }
    }

    /// Performs actions after a synchronization, without waiting for them.
    func performLater(_ steps: [FileStep]) {
        guard !steps.isEmpty else { return }
        self.queue.async {
            do throws(FileFailure) {
                for step in steps { try self.file.perform(step) }
            } catch {
                self.synchronization.withLock { state in
                    state.failure = state.failure ?? error
                    self.hasNews.store(true, ordering: .releasing)
                }
            }
        }
    }

    // MARK: Actions

    /// Waits until all writes and later actions are complete, whatever happens to the task; then as
    /// ``takeEndOfSynchronization()``.
    func settle() async throws(Failure) -> Bool {
        try await self.writer.perform { () throws(FileFailure) in }
        await self.queue.perform {}
        return try self.takeEndOfSynchronization()
    }

    /// Performs an action, after all writes; cancellation does not interrupt this.
    func perform(_ step: FileStep) async throws(Failure) {
        try await self.writer.perform { [file] () throws(FileFailure) in try file.perform(step) }
    }

    func matches(_ digest: TransferDigest) async throws(Failure) -> Bool {
        let isCancelled = Flag()
        let outcome = await withTaskCancellationHandler {
            await self.writer.run { [file] failure -> Result<Bool, Failure> in
                if let failure { return .failure(failure) }
                do throws(FileFailure) {
                    let matches = try file.matches(digest) { !isCancelled.isRaised }
                    return matches.map { .success($0) } ?? .failure(.cancelled)
                } catch {
                    return .failure(.file(error))
                }
            }
        } onCancel: {
            isCancelled.raise()
        }
        return try outcome.get()
    }

    func finish() async {
        // A synchronization may wait behind the writes, and an action may wait behind the synchronization. No action
        // may write a record after the lock is released, because the next call may have begun.
        await self.writer.run { _ in }
        await self.queue.perform {}
        await self.writer.run { [file] _ in file.finish() }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isRaised: Bool { self.value.load(ordering: .relaxed) }

        func raise() { self.value.store(true, ordering: .relaxed) }
    }
}
