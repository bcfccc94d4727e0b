// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import FoundationEssentials
internal import Synchronization
internal import Tern

/// Many connections and WebSockets that are idle, and then are all used at once.
extension ScaleBench {
    private static let idleTime = Duration.seconds(5)

    /// Opens connections, all at once: the server answers when it has the requests of all.
    func connections(_ count: Int) async throws -> [String] {
        let together = "http://127.0.0.1:\(self.port)/together/\(count)"
        try await self.call("http://127.0.0.1:\(self.port)/small")
        let before = Resources.residentKiB
        let opening = try await Spent.by { try await self.calls(count) { _ in together } }
        let memory = try await self.memory(since: before)
        let idle = try await Spent.by { try await Task.sleep(for: Self.idleTime) }
        let using = try await Spent.by { try await self.calls(count) { _ in together } }
        return self.row(count, opening, memory, idle, using)
    }

    /// Opens WebSockets one after the other, each with a task that reads its messages.
    func webSockets(_ count: Int) async throws -> [String] {
        guard let url = URL(string: "ws://127.0.0.1:\(self.port)/ws/echo") else { return [] }
        let echoes = Echoes(count)
        let before = Resources.residentKiB
        return try await withThrowingTaskGroup(of: Void.self) { group in
            var sockets: [WebSocket] = []
            let opening = try await Spent.by {
                for _ in 0..<count {
                    let socket = try await self.client.webSocket(from: url)
                    sockets.append(socket)
                    group.addTask {
                        for try await _ in socket { echoes.arrived() }
                    }
                }
            }
            let memory = try await self.memory(since: before)
            let idle = try await Spent.by { try await Task.sleep(for: Self.idleTime) }
            let using = try await Spent.by {
                for socket in sockets { try await socket.send("a message of some 30 characters") }
                await echoes.wait()
            }
            group.cancelAll()
            while let _ = await group.nextResult() {}
            return self.row(count, opening, memory, idle, using)
        }
    }

    /// Returns the resident memory in KiB beyond an earlier one, without memory that the process only keeps for later.
    private func memory(since before: Int) async throws -> Int {
        try await Task.sleep(for: .seconds(1))
        Resources.giveBackMemory()
        return Resources.residentKiB - before
    }

    private func row(_ count: Int, _ opening: Spent, _ memoryKiB: Int, _ idle: Spent, _ using: Spent) -> [String] {
        [
            "\(count)", opening.microsecondsOfProcessor(by: count), (Double(memoryKiB) / Double(count)).rounded1,
            (idle.processorSeconds * 1000).rounded1, using.milliseconds, using.microsecondsOfProcessor(by: count),
            "\(Resources.threadCount)",
        ]
    }

    /// Counts the messages that have come back.
    private final class Echoes: Sendable {
        private struct State {
            var missing: Int
            var waiting: CheckedContinuation<Void, Never>?
        }

        private let state: Mutex<State>

        init(_ count: Int) { self.state = Mutex(State(missing: count)) }

        func arrived() {
            let waiting = self.state.withLock { state in
                state.missing -= 1
                return state.missing == 0 ? state.waiting.take() : nil
            }
            waiting?.resume()
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isDone = self.state.withLock { state in
                    guard state.missing > 0 else { return true }
                    state.waiting = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        }
    }
}
