// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import TernRequests

/// A store, in memory, of the hosts that a client reaches only over HTTPS.
///
/// To keep the hosts longer than the store, save ``hosts``, and pass them to ``init(_:)`` at the next start.
public final class MemoryStrictTransportStore: StrictTransportStore {
    private struct State {
        var hosts: StrictTransportHosts
        var latest: HTTPDate?

        /// Records the current time, and notices a clock that was set back.
        mutating func advance(to now: HTTPDate) {
            if self.latest.map({ now < $0 }) ?? true { self.hosts.shorten(now: now) }
            self.latest = now
        }
    }

    private let state: Mutex<State>

    /// Creates a store with the hosts of an earlier run.
    public init(_ hosts: StrictTransportHosts = StrictTransportHosts()) {
        self.state = Mutex(State(hosts: hosts))
    }

    /// The known hosts, possibly including some whose policy has expired.
    public var hosts: StrictTransportHosts { self.state.withLock { $0.hosts } }

    public func contains(_ host: String, now: HTTPDate) -> Bool {
        self.state.withLock { state in
            state.advance(to: now)
            return state.hosts.contains(host, now: now)
        }
    }

    public func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate) {
        self.state.withLock { state in
            state.advance(to: now)
            state.hosts.note(policy, of: host, now: now)
        }
    }
}
