// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// Turns Ctrl-C, and other requests to end the process, into the cancellation of a task, so that the task can clean up.
struct Interruption {
    private let source: (any DispatchSourceRead)?
    private let received = Received()

    private final class Received: Sendable {
        let signal = Atomic<CInt>(0)
    }

    /// Not SIGHUP if the process should outlive its terminal, as with `nohup`.
    private static var signals: [CInt] {
        [System.interrupt, System.terminate] + (System.outlivesTerminal ? [] : [System.hangUp])
    }

    /// Cancels the task on SIGINT, SIGTERM or SIGHUP; a second signal ends the process at once.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> (result: Result<Value, any Error>, signal: CInt?) {
        System.ignoreBrokenPipes()
        let cancellation = Cancellation()
        // Handle signals before the task begins, so that files are removed however early a signal arrives.
        let interruption = Interruption { cancellation.cancel() }
        let task = Task { try await body() }
        cancellation.onCancel { task.cancel() }
        let result = await task.result
        return (result, interruption.end())
    }

    /// A request to cancel, which may arrive before there is a task to cancel.
    private final class Cancellation: Sendable {
        private struct State {
            var isCancelled = false
            var action: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        func cancel() {
            let action = self.state.withLock { state in
                state.isCancelled = true
                return state.action
            }
            action?()
        }

        func onCancel(_ action: @escaping @Sendable () -> Void) {
            let isCancelled = self.state.withLock { state in
                state.action = action
                return state.isCancelled
            }
            if isCancelled { action() }
        }
    }

    private init(_ cancel: @escaping @Sendable () -> Void) {
        let received = self.received
        self.source = SignalPipe.source(of: Self.signals) { number in
            guard received.signal.exchange(number, ordering: .relaxed) == 0 else { System.exitNow(128 + number) }
            cancel()
        }
    }

    private func end() -> CInt? {
        self.source?.cancel()
        let number = self.received.signal.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }
}
