// SPDX-License-Identifier: Apache-2.0

/// The number of times in a row that a sequence has connected again, by the rule that all such sequences share.
///
/// Only a connection that was open for some time starts the count again. Otherwise, a server that accepts a connection,
/// sends something and ends it would make the client connect again and again with only the shortest pauses. The queue of
/// transfers has the same limits, but also needs bytes of the file to start its count again.
package struct AttemptCount: Sendable {
    /// The time that a connection must be open, unless a policy has another one.
    package static let stableDuration = Duration.seconds(5)
    /// The minimum pause to which a server can shorten the time between the end of a short connection and the next one.
    ///
    /// Without a minimum, a server could make the client connect many hundred times a second.
    package static let minimumPause = Duration.milliseconds(500)

    /// The number of the attempt that follows the latest end of a connection, from 1; 0 before the first end.
    package private(set) var number = 0

    /// Creates a count before the first connection.
    package init() {}

    /// Handles the end of a connection, or the failure to open one.
    ///
    /// - Parameters:
    ///   - duration: The time that the connection was open; `nil` if it was not opened.
    ///   - stableDuration: The time that starts the count again.
    package mutating func ended(after duration: Duration?, stableDuration: Duration = AttemptCount.stableDuration) {
        if let duration, duration >= stableDuration { self.number = 0 }
        self.number += 1
    }
}
