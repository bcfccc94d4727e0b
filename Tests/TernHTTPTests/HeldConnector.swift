// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernTesting

/// A connector whose dials (attempts to open a connection) succeed or fail when the test says so.
final class HeldConnector: Connector {
    private typealias Gate = Suspension<Result<Void, ConnectionError>>

    private struct State {
        var gates: [Gate] = []
        var endedCount = 0
        var waiters: [(dialCount: Int, waiter: Suspension<Bool>)] = []
    }

    let base: MemoryConnector
    private let state = Mutex(State())

    init(_ base: MemoryConnector) { self.base = base }

    /// The number of dials that have begun.
    var dialCount: Int { self.state.withLock { $0.gates.count } }
    /// The number of dials that have ended.
    var endedCount: Int { self.state.withLock { $0.endedCount } }

    /// Waits until a number of dials have begun.
    func waitForDials(_ count: Int) async {
        let waiter = Suspension<Bool>()
        let isThere = self.state.withLock { state in
            if state.gates.count >= count { return true }
            state.waiters.append((count, waiter))
            return false
        }
        if !isThere { _ = await waiter.wait(onCancel: false) }
    }

    /// Makes a dial succeed; the number of the first dial is 1.
    func open(_ number: Int) { self.gate(number).resume(with: .success(())) }

    /// Makes a dial fail; the number of the first dial is 1.
    func fail(_ number: Int, _ error: ConnectionError = .notConnected(.refused)) {
        self.gate(number).resume(with: .failure(error))
    }

    private func gate(_ number: Int) -> Gate { self.state.withLock { $0.gates[number - 1] } }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        let gate = Gate()
        let woken = self.state.withLock { state in
            state.gates.append(gate)
            let woken = state.waiters.filter { $0.dialCount <= state.gates.count }
            state.waiters.removeAll { $0.dialCount <= state.gates.count }
            return woken
        }
        for (_, waiter) in woken { waiter.resume(with: true) }
        defer { self.state.withLock { $0.endedCount += 1 } }
        try await gate.wait(onCancel: .failure(.cancelled)).get()
        return try await self.base.connect(to: endpoint, deadline: deadline)
    }
}
