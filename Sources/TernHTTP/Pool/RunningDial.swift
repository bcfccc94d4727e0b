// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernErrors
import TernTransport

/// A running dial: a task of the pool, because the call that began it may end while the dial serves another.
final class RunningDial: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    /// Follows the steps of the dial.
    let observer: DialObserver

    private let state = Mutex(State())

    init(for call: HTTPCall, through route: Route) {
        self.observer = DialObserver(call.observer, phase: route.proxy == nil ? .connect : .proxy)
    }

    /// Starts the dial.
    ///
    /// - Parameters:
    ///   - executor: The connector's executor. If the call runs on it, so does the dial; an unstructured task would not
    ///     inherit it otherwise.
    ///   - body: Dials.
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

    /// If the dial was cancelled, waits until it has ended.
    func waitIfCancelled() async {
        let task = self.state.withLock { $0.isCancelled ? $0.task : nil }
        await task?.value
    }

    /// Cancels the dial; its end is reported when it has left nothing open.
    func cancel() {
        let task = self.state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
