// SPDX-License-Identifier: Apache-2.0

/// The number of times in a row that a sequence has connected again; only a connection that was open for some time resets it.
package struct AttemptCount: Sendable {
    package static let stableDuration = Duration.seconds(5)
    /// The minimum pause, without which a server could make the client connect many hundred times a second.
    package static let minimumPause = Duration.milliseconds(500)

    package private(set) var number = 0

    package init() {}

    /// Handles the end of a connection that was open for `duration`; `nil` if it could not be opened.
    package mutating func ended(after duration: Duration?, stableDuration: Duration = AttemptCount.stableDuration) {
        if let duration, duration >= stableDuration { self.number = 0 }
        self.number += 1
    }
}
