// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernTransport

/// A connection that is being made (a *dial*), in its own task, because it may serve another call after its first has ended.
final class RunningDial: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    let observer: DialObserver

    private let state = Mutex(State())

    init(for call: HTTPCall, through route: Route) {
        self.observer = DialObserver(call.observer, phase: route.proxy == nil ? .connect : .proxy)
    }

    /// Starts the dial, on the connector's executor if the call runs on that, because an unstructured task does not inherit one.
    func run(near executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void) {
        let preferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
        let isThere = preferred != nil && preferred == executor?.asUnownedTaskExecutor()
        // The task is not detached, so that delegates see the task-local values of the call.
        let task = Task(executorPreference: isThere ? executor : nil) { await body() }
        let isCancelled = self.state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Waits until the dial has ended, if it was cancelled; otherwise returns at once.
    func waitIfCancelled() async {
        let task = self.state.withLock { $0.isCancelled ? $0.task : nil }
        await task?.value
    }

    func waitForEnd() async { await self.state.withLock { $0.task }?.value }

    /// Cancels the dial, which closes its connection before it ends.
    func cancel() {
        let task = self.state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
