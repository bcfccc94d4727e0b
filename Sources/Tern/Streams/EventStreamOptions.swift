// SPDX-License-Identifier: Apache-2.0

/// Settings of an ``EventStream``.
public struct EventStreamOptions: Hashable, Sendable {
    /// The maximum length of one event in bytes, field names included.
    ///
    /// Defaults to 16 MiB, because AI models send images as text in single events. A longer event ends the stream with
    /// `ClientError.valueTooLong`.
    package var maximumEventByteCount: Int
    /// Whether the sequence delivers comments.
    package var includesComments: Bool

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - maximumEventByteCount: The maximum length of one event in bytes; not negative. Defaults to 16 MiB.
    ///   - includesComments: Whether the sequence delivers comments, as events with a `comment`. Servers send comments
    ///     to keep a connection open. Defaults to `false`.
    public init(maximumEventByteCount: Int = 16 << 20, includesComments: Bool = false) {
        precondition(maximumEventByteCount >= 0, "the maximum length of an event must not be negative")
        self.maximumEventByteCount = maximumEventByteCount
        self.includesComments = includesComments
    }
}
