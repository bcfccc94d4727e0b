// SPDX-License-Identifier: Apache-2.0

/// Settings of an ``EventStream``.
public struct EventStreamOptions: Hashable, Sendable {
    package var maximumEventByteCount: Int
    package var includesComments: Bool

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - maximumEventByteCount: The maximum length of one event in bytes, field names included. Beyond it, the stream ends with
    ///     `ClientError.valueTooLong`. Defaults to 16 MiB, because AI models send images in single events.
    ///   - includesComments: Whether the sequence delivers comments, with which servers keep a connection open, as events with a
    ///     `comment`.
    public init(maximumEventByteCount: Int = 16 << 20, includesComments: Bool = false) {
        self.maximumEventByteCount = maximumEventByteCount
        self.includesComments = includesComments
    }
}
