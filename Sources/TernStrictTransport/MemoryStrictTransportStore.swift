// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import TernRequests

/// Keeps the hosts in memory, for as long as the program runs; ``hosts`` can be kept longer.
public final class MemoryStrictTransportStore: StrictTransportStore {
    private let state: Mutex<StrictTransportHosts>

    /// Creates a store.
    ///
    /// - Parameter hosts: what is known from the start, such as ``hosts`` of an earlier run; nothing by default.
    public init(_ hosts: StrictTransportHosts = StrictTransportHosts()) { self.state = Mutex(hosts) }

    /// What is known now.
    public var hosts: StrictTransportHosts { self.state.withLock { $0 } }

    public func contains(_ host: String, now: HTTPDate) -> Bool { self.state.withLock { $0.contains(host, now: now) } }

    public func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate) {
        self.state.withLock { $0.note(policy, of: host, now: now) }
    }
}
