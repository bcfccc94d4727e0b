// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization
import Tern
import TernConnections
import TernTesting

/// Look-ups that block their threads until the gate is opened, as those of a silent name server do.
final class LookUpGate: Sendable {
    private let begun = Observed<[String]>([])
    private let isOpen = Atomic(false)
    private let waiting = DispatchSemaphore(value: 0)

    deinit { self.open() }

    /// The names whose look-up has begun, in order.
    var names: [String] { self.begun.value }

    /// Waits until so many look-ups have begun.
    func waitForBegun(_ count: Int) async { await self.begun.wait { $0.count >= count } }

    /// Blocks until the gate is open; then the host is this machine.
    func lookUp(_ host: String) -> Result<[SocketAddress], ConnectionError> {
        self.begun.update { $0.append(host) }
        if !self.isOpen.load(ordering: .acquiring) { self.waiting.wait() }
        self.waiting.signal()  // for the next
        return Result { try SocketAddress(ipAddress: "127.0.0.1", port: 0) }
            .map { [$0] }.mapError { _ in .notConnected(.interrupted) }
    }

    /// Lets all look-ups end, those that begin later at once.
    func open() {
        self.isOpen.store(true, ordering: .releasing)
        self.waiting.signal()
    }
}
