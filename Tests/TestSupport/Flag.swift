// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something that happened or not, and how often.
public final class Flag: Sendable {
    private let raisings = Atomic<Int>(0)

    /// Creates a flag that is not raised.
    public init() {}

    /// Whether it was raised.
    public var isRaised: Bool { self.count > 0 }

    /// The number of times that it was raised.
    public var count: Int { self.raisings.load(ordering: .acquiring) }

    /// Raises it.
    public func raise() { self.raisings.add(1, ordering: .acquiringAndReleasing) }
}
