// SPDX-License-Identifier: Apache-2.0

/// The tasks of a connector that serve connections.
///
/// A running task may keep this object alive, so the owner of the object cancels the tasks itself.
final class ServerTasks: Sendable {
    private struct Running: Sendable {
        /// The number of the connection that the task serves.
        var connection: Int
        /// The task; `nil` until it has been created.
        var task: Task<Void, Never>?
    }

    private struct State: Sendable {
        var lastKey = 0
        var running: [Int: Running] = [:]
        var isCancelled = false
    }

    private let state = Observed(State())

    /// Starts a task that serves a connection, and then closes the connection if it is still open.
    func start(_ connection: ServerConnection, by serve: @escaping @Sendable (ServerConnection) async throws -> Void) {
        let key = self.state.update { state in
            state.lastKey += 1
            state.running[state.lastKey] = Running(connection: connection.number)
            return state.lastKey
        }
        let task = Task.detached { [state] in
            do {
                try await serve(connection)
                connection.close()
            } catch {
                connection.end(after: error)
            }
            state.update { $0.running[key] = nil }
        }
        let isCancelled = self.state.update { state in
            state.running[key]?.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Cancels all running tasks, and every task that starts later.
    func cancel() {
        let running = self.state.update { state in
            state.isCancelled = true
            return state.running.values.compactMap(\.task)
        }
        for task in running { task.cancel() }
    }

    /// Waits until no task is running.
    func waitForEnd() async throws(TestStallError) {
        try await self.state.wait(for: "all servers to end") { state in
            let connections = Set(state.running.values.map(\.connection)).sorted()
            return "servers still running on connection \(connections.listed({ "\($0)" }, none: ""))"
        } until: { state in
            state.running.isEmpty
        }
    }
}
