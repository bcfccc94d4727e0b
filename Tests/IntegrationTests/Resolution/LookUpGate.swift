// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import Tern
import TernConnections
import TernTesting

/// Blocks the threads of look-ups until a test opens the gate, like a silent name server.
final class LookUpGate: Sendable {
    private let begun = Observed<[String]>([])
    private let isOpen = Atomic(false)
    private let waiting = DispatchSemaphore(value: 0)

    deinit { self.open() }

    /// The names whose look-ups have begun, in order.
    var names: [String] { self.begun.value }

    /// Waits until a number of look-ups have begun.
    func waitForBegun(_ count: Int) async { await self.begun.wait { $0.count >= count } }

    /// Blocks until the gate is open, and then returns an address of this machine.
    func lookUp(_ host: String) -> Result<[SocketAddress], ConnectionError> {
        self.begun.update { $0.append(host) }
        if !self.isOpen.load(ordering: .acquiring) { self.waiting.wait() }
        self.waiting.signal()  // lets the next look-up continue
        return Result { try SocketAddress(ipAddress: "127.0.0.1", port: 0) }
            .map { [$0] }.mapError { _ in .notConnected(.interrupted) }
    }

    /// Lets all look-ups end; later look-ups end at once.
    func open() {
        self.isOpen.store(true, ordering: .releasing)
        self.waiting.signal()
    }
}
