// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernConnections
import TernURLLoading

/// Passes a request body from one task of Swift concurrency to one thread of `URLSession`, which waits by blocking.
final class BodyPipe: Sendable {
    private struct State {
        var machine = BodyPipeStateMachine()
        var writer: Suspension<Void>?
        var isReaderBlocked = false
    }

    private let state = Mutex(State())
    /// Signalled once for each time that `isReaderBlocked` was set.
    private let arrival = DispatchSemaphore(value: 0)

    // MARK: The writer

    /// Waits until the pipe has room, and writes a piece, which is not empty; returns whether more pieces are wanted.
    func write(_ piece: Data) async -> Bool {
        while true {
            let suspension = Suspension<Void>()
            let step = self.change { state in
                let step = state.machine.write(piece)
                if step == .wait { state.writer = suspension }
                return step
            }
            switch step {
            case .stored: return true
            case .refused: return false
            case .wait:
                await suspension.wait(onCancel: ())
                if Task.isCancelled { return false }
            }
        }
    }

    /// Waits until the reader has taken everything, or takes no more, or the task is cancelled.
    func drain() async {
        while true {
            let suspension = Suspension<Void>()
            let isDone = self.change { state in
                if !state.machine.isWritable { state.writer = suspension }
                return state.machine.isWritable
            }
            if isDone { return }
            await suspension.wait(onCancel: ())
            if Task.isCancelled { return }
        }
    }

    func end() { self.change { $0.machine.end() } }

    /// Ends the body early; the reader fails, so that the server does not get a complete request.
    func fail() { self.change { $0.machine.fail() } }

    // MARK: The reader

    /// Copies bytes of the body, and blocks the thread until there are some; 0 is the end of the body, -1 an early end.
    func read(into space: UnsafeMutableBufferPointer<UInt8>) -> Int {
        while true {
            let step = self.change { state in
                let step = state.machine.read(space.count)
                if step == .wait { state.isReaderBlocked = true }
                return step
            }
            switch step {
            case .bytes(let bytes): return bytes.copyBytes(to: space)
            case .end: return 0
            case .failed: return -1
            case .wait: self.arrival.wait()
            }
        }
    }

    func close() { self.change { $0.machine.close() } }

    @discardableResult
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        var writer: Suspension<Void>?
        var wakesReader = false
        let value = self.state.withLock { state in
            let value = body(&state)
            if state.machine.isWritable { writer = state.writer.take() }
            if state.isReaderBlocked, state.machine.isReadable {
                state.isReaderBlocked = false
                wakesReader = true
            }
            return value
        }
        writer?.resume(with: ())
        if wakesReader { self.arrival.signal() }
        return value
    }
}
