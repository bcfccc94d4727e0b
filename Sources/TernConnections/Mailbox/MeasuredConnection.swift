// SPDX-License-Identifier: Apache-2.0

/// A connection that tells whether a slow peer still accepts bytes while a task waits for room.
package protocol MeasuredConnection: Connection {
    /// The last instant at which the network took some of many queued bytes; `nil` before that, and if it took all at once.
    var lastSent: ClockInstant? { get }
}
