// SPDX-License-Identifier: Apache-2.0

/// The tasks that serve connections; a running one may keep this object alive, so its owner cancels them.
final class ServerTasks: Sendable {
    private struct Running: Sendable {
        var connection: Int
        var task: Task<Void, Never>?
    }

    private struct State: Sendable {
        var lastKey = 0
        var running: [Int: Running] = [:]
        var isCancelled = false
    }

    private let state = Observed(State())

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

    func cancel() {
        let running = self.state.update { state in
            state.isCancelled = true
            return state.running.values.compactMap(\.task)
        }
        for task in running { task.cancel() }
    }

    func waitForEnd() async throws(TestStallError) {
        try await self.state.wait(for: "all servers to end") { state in
            let connections = Set(state.running.values.map(\.connection)).sorted()
            return "servers still running on connection \(connections.listed({ "\($0)" }, none: ""))"
        } until: { state in
            state.running.isEmpty
        }
    }
}
