// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import TernRequests

/// A store, in memory, of the hosts that a client reaches only over HTTPS.
///
/// The hosts are lost when the store is deallocated. To keep them longer, save ``hosts``, and pass them to ``init(_:)``
/// at the next start.
public final class MemoryStrictTransportStore: StrictTransportStore {
    private let state: Mutex<StrictTransportHosts>

    /// Creates a store.
    ///
    /// - Parameter hosts: The initially known hosts, such as the ``hosts`` of an earlier run. Defaults to no hosts.
    public init(_ hosts: StrictTransportHosts = StrictTransportHosts()) { self.state = Mutex(hosts) }

    /// The currently known hosts.
    public var hosts: StrictTransportHosts { self.state.withLock { $0 } }

    public func contains(_ host: String, now: HTTPDate) -> Bool { self.state.withLock { $0.contains(host, now: now) } }

    public func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate) {
        self.state.withLock { $0.note(policy, of: host, now: now) }
    }
}
