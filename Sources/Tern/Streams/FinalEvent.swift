// SPDX-License-Identifier: Apache-2.0
public import TernStreams

/// A rule that recognizes the last event of a stream.
///
/// Without such a rule, a stream ends normally when the server ends the response. A proxy or a server that restarts may
/// end the response in the same way, so that a part looks like the whole. With a rule, a stream ends normally only
/// after its final event; every other end is `ClientError.truncated`. A response with the status 204 has no events, and
/// always ends normally.
///
/// The final event counts even if the response ends without the blank line after it. If the sequence delivers the event,
/// its last line must have ended, so that its data is complete.
///
/// ```swift
/// let answer = try await client.events(for: request, until: .data("[DONE]"))
/// let response = try await client.events(for: request, until: .event("response.completed", "response.failed"))
/// ```
public struct FinalEvent: Sendable {
    /// Whether the sequence delivers the final event.
    package var isDelivered: Bool
    /// A closure that returns whether an event is the final one.
    package var matches: @Sendable (ServerSentEvent) -> Bool

    /// Creates a rule from a closure.
    ///
    /// - Parameters:
    ///   - isDelivered: Whether the sequence delivers the final event. Defaults to `true`.
    ///   - matches: A closure that returns whether an event is the final one. The sequence calls it for every event, in
    ///     order.
    public init(isDelivered: Bool = true, matches: @escaping @Sendable (ServerSentEvent) -> Bool) {
        self.isDelivered = isDelivered
        self.matches = matches
    }

    /// Recognizes the final event by its data, such as `[DONE]`.
    ///
    /// - Parameters:
    ///   - data: The data of the final event.
    ///   - isDelivered: Whether the sequence delivers the event. Defaults to `false`, because such data only marks the
    ///     end.
    /// - Returns: The rule.
    public static func data(_ data: String, isDelivered: Bool = false) -> FinalEvent {
        FinalEvent(isDelivered: isDelivered) { $0.data == data }
    }

    /// Recognizes the final event by its type, such as `message_stop`.
    ///
    /// - Parameters:
    ///   - types: The types, each of which ends the stream.
    ///   - isDelivered: Whether the sequence delivers the event. Defaults to `true`, because such an event may contain
    ///     the result.
    /// - Returns: The rule.
    public static func event(_ types: String..., isDelivered: Bool = true) -> FinalEvent {
        FinalEvent(isDelivered: isDelivered) { types.contains($0.event) }
    }
}
