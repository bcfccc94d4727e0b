// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Records whether an event happened, and how often.
public final class Flag: Sendable {
    private let raisings = Atomic<Int>(0)

    /// Creates a flag that is not raised.
    public init() {}

    /// Whether the flag has been raised.
    public var isRaised: Bool { self.count > 0 }

    /// The number of times that the flag has been raised.
    public var count: Int { self.raisings.load(ordering: .acquiring) }

    /// Raises the flag once.
    public func raise() { self.raisings.add(1, ordering: .acquiringAndReleasing) }
}
