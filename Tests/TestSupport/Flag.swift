// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Records whether an event happened, and how often.
public final class Flag: Sendable {
    private let raisings = Atomic<Int>(0)

    public init() {}

    public var isRaised: Bool { self.count > 0 }

    public var count: Int { self.raisings.load(ordering: .acquiring) }

    public func raise() { self.raisings.add(1, ordering: .acquiringAndReleasing) }
}
