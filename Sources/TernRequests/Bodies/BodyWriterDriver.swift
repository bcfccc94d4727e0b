// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernFoundation

/// Performs the effects of ``BodyWriterStateMachine``, and resumes waiting tasks outside its lock.
final class BodyWriterDriver: Sendable {
    private typealias Machine = BodyWriterStateMachine

    private struct Locked {
        var machine = Machine()
        var writes: [Machine.Write: UnsafeContinuation<Machine.WriteOutcome, Never>] = [:]
        var reading: UnsafeContinuation<Machine.ReadOutcome, Never>?
    }

    private let locked = Mutex(Locked())

    // MARK: The writer

    nonisolated(nonsending) func write(_ piece: Data) async -> BodyWriterStateMachine.WriteOutcome {
        let write = self.locked.withLock { $0.machine.begun() }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.perform { locked in
                    locked.writes[write] = continuation
                    // A cancellation before the lock was taken is visible in `Task.isCancelled`; a later one finds the
                    // continuation.
                    return locked.machine.suspended(write, with: piece, isCancelled: Task.isCancelled)
                }
            }
        } onCancel: {
            self.perform { $0.machine.cancelled(write) }
        }
    }

    func finish(trailers: HTTPFields?) { self.perform { $0.machine.finished(trailers: trailers) } }

    func fail(_ error: any Error) { self.perform { $0.machine.failed(error) } }

    // MARK: The reader

    func makeReader() -> Bool { self.locked.withLock { $0.machine.readerMade() } }

    func read(isolation: isolated (any Actor)?) async -> BodyWriterStateMachine.ReadOutcome {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                self.perform { locked in
                    locked.reading = continuation
                    return locked.machine.readRequested(isCancelled: Task.isCancelled)
                }
            }
        } onCancel: {
            self.perform { $0.machine.readCancelled() }
        }
    }

    func releaseReader() { self.perform { $0.machine.readerReleased() } }

    // MARK: The call

    func beginCall() -> Bool { self.locked.withLock { $0.machine.callBegan() } }

    func releaseBody(byCall: Bool) { self.perform { $0.machine.bodyReleased(byCall: byCall) } }

    func endCall() { self.perform { $0.machine.callEnded() } }

    private func perform(_ event: (inout Locked) -> BodyWriterStateMachine.Effects) {
        let (effects, writes, reading) = self.locked.withLock { locked in
            let effects = event(&locked)
            let writes = effects.writes.map { locked.writes.removeValue(forKey: $0.write) }
            return (effects, writes, effects.reading == nil ? nil : locked.reading.take())
        }
        if let outcome = effects.reading { reading?.resume(returning: outcome) }
        for (continuation, resumption) in zip(writes, effects.writes) {
            continuation?.resume(returning: resumption.outcome)
        }
    }
}
