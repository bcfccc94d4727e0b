// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

enum OutputFailure: Error, Equatable {
    /// The reader is gone, as after `| head`.
    case closed
    case cancelled
    case system(errno: CInt)
}

/// Writes to a descriptor on a separate queue, so that a short delay of the output does not delay the network.
///
/// The bytes that arrive during a write are written together afterwards, and the caller waits if too many are queued. If the
/// output is a file, the task that brings a long piece writes what is queued itself, which saves the changes of thread.
final class OutputWriter: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isWriting = false
        var failure: OutputFailure?
        var waiters: [UnsafeContinuation<Void, Never>] = []

        mutating func takeWaiters() -> [UnsafeContinuation<Void, Never>] {
            defer { self.waiters = [] }
            return self.waiters
        }
    }

    private static let pendingLimit = 256 << 10
    private static let longByteCount = 4 << 10

    private let descriptor: CInt
    private let isFile: Bool
    private let isTerminal: Bool
    private let queue = DispatchQueue(label: "tern-cli.output")
    private let state = Mutex(State())

    init(descriptor: CInt = System.standardOutput) {
        self.descriptor = descriptor
        self.isFile = System.isFile(descriptor)
        self.isTerminal = System.isTerminal(descriptor)
    }

    func shown(_ text: String) -> String { TerminalText.shown(text, on: self.descriptor) }

    func write(line: String) async throws(OutputFailure) { try await self.write((line + "\n").utf8) }

    func write(_ bytes: some Sequence<UInt8>) async throws(OutputFailure) {
        self.enqueue(bytes)
        try await self.waitForRoom()
    }

    func waitForRoom() async throws(OutputFailure) { try await self.wait { $0.pending.count <= Self.pendingLimit } }

    /// Queues bytes without waiting; the caller must call ``waitForRoom()`` now and then.
    func enqueue(_ bytes: some Sequence<UInt8>) {
        let (mustStart, byteCount) = self.state.withLock { state in
            state.pending.append(contentsOf: bytes)
            defer { state.isWriting = true }
            return (!state.isWriting, state.pending.count)
        }
        guard mustStart else { return }
        if self.isFile, byteCount >= Self.longByteCount { self.drain() } else { self.queue.async { self.drain() } }
    }

    func finish() async throws(OutputFailure) { try await self.wait { !$0.isWriting } }

    /// Runs code, and waits until all bytes are written; if the reader is gone, returns early and throws no error.
    func whileRead(_ body: () async throws -> Void) async throws {
        do {
            try await body()
            try await self.finish()
        } catch OutputFailure.closed {
        } catch let error as OutputFailure {
            throw error
        } catch {
            // The process may end with this error, and would then lose bytes for which a slow reader had no room yet.
            try? await self.finish()
            throw error
        }
    }

    private func wait(until isDone: @Sendable (borrowing State) -> Bool) async throws(OutputFailure) {
        while true {
            let (done, failure) = self.state.withLock { (isDone($0), $0.failure) }
            if let failure { throw failure }
            if done { return }
            if Task.isCancelled { throw .cancelled }
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let mustWait = self.state.withLock { state in
                        // Check everything again: since the first check, the writer may have finished, or the task may
                        // have been cancelled. In both cases, nothing would wake this task.
                        let mustWait = state.failure == nil && !isDone(state) && !Task.isCancelled
                        if mustWait { state.waiters.append(continuation) }
                        return mustWait
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                for waiter in self.state.withLock({ $0.takeWaiters() }) { waiter.resume() }
            }
        }
    }

    private func drain() {
        while let bytes = self.takePending() {
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(OutputFailure) in try System.write(bytes, to: self.descriptor) }
            }
            if self.isTerminal { OpenLine.record(bytes, on: self.descriptor) }
            if case .failure(let failure) = result { self.state.withLock { $0.failure = failure } }
        }
    }

    /// Returns `nil`, which ends the writing, if no bytes are queued or an earlier write has failed.
    private func takePending() -> [UInt8]? {
        let (bytes, waiters) = self.state.withLock { state in
            var bytes: [UInt8]?
            if state.failure == nil, !state.pending.isEmpty {
                bytes = state.pending
                state.pending = []
            }
            state.isWriting = bytes != nil
            return (bytes, state.takeWaiters())
        }
        for waiter in waiters { waiter.resume() }
        return bytes
    }
}
