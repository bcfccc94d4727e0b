// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the demo's server has seen.
final class DemoJournal: Sendable {
    enum Event: Hashable, Sendable {
        /// A request came for this path.
        case requested(String)
        /// The client closed the connection before the response to this path was complete.
        case disconnected(String)
        /// A client that is called so closed the live channel with this code, or answered so to the server's close.
        case left(String, code: UInt16)
    }

    private let events = Mutex<Set<Event>>([])

    func record(_ event: Event) { self.events.withLock { _ = $0.insert(event) } }

    func holds(_ event: Event) -> Bool { self.events.withLock { $0.contains(event) } }

    /// Waits a while for an event.
    ///
    /// - Returns: whether it happened.
    func waits(for event: Event) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(2)
        while !self.holds(event) {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(2))
        }
        return true
    }
}
