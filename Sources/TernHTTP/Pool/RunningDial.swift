// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernTransport

/// A dial on its way: a task of the pool's, because the call that began it may leave while it serves another.
final class RunningDial: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    /// Follows how it goes.
    let observer: DialObserver

    private let state = Mutex(State())

    init(for call: HTTPCall, through route: Route) {
        self.observer = DialObserver(call.observer, phase: route.proxy == nil ? .connect : .proxy)
    }

    /// Begins.
    ///
    /// - Parameters:
    ///   - executor: The executor that is closest to the connections. A call that runs there has its connection there,
    ///     too, which an unstructured task does not inherit.
    ///   - body: Dials.
    func run(near executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void) {
        let preferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
        let isThere = preferred != nil && preferred == executor?.asUnownedTaskExecutor()
        // Not detached: delegates that are asked meanwhile see the task-local values of the call.
        let task = Task(executorPreference: isThere ? executor : nil) { await body() }
        let isCancelled = self.state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Returns when it has ended, if it was cancelled.
    func waitIfCancelled() async {
        let task = self.state.withLock { $0.isCancelled ? $0.task : nil }
        await task?.value
    }

    /// Ends it; its end is reported when nothing of it is open.
    func cancel() {
        let task = self.state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
