// SPDX-License-Identifier: Apache-2.0
public import TernStreams

/// A rule that recognizes the last event of a stream.
///
/// ```swift
/// let answer = try await client.events(for: request, until: .data("[DONE]"))
/// let response = try await client.events(
///     for: request,
///     until: .event("response.completed", "response.failed")
/// )
/// ```
///
/// Without such a rule, a stream ends normally when the response ends between two events, even if a proxy or a restarting server
/// ended it. With a rule, it ends normally only after its final event, or with the status 204; any other end is an error, such as
/// `ClientError.truncated`. The final event counts even without the blank line after it. If the sequence delivers the event, the
/// event's last line must have ended, so that its data is complete, except with ``data(_:isDelivered:)``, which knows the data.
public struct FinalEvent: Sendable {
    package let isDelivered: Bool
    /// Says whether an event is the final one, and is told whether its last line has no end, so that its data may be incomplete.
    package let recognizes: @Sendable (ServerSentEvent, _ endsWithinLine: Bool) -> Bool

    /// Creates a rule from a closure, which the sequence calls for every event, in order, but not for comments.
    public init(isDelivered: Bool = true, matches: @escaping @Sendable (ServerSentEvent) -> Bool) {
        self.init(isDelivered: isDelivered) { event, endsWithinLine in
            !(isDelivered && endsWithinLine) && matches(event)
        }
    }

    package init(
        isDelivered: Bool,
        recognizes: @escaping @Sendable (ServerSentEvent, _ endsWithinLine: Bool) -> Bool
    ) {
        self.isDelivered = isDelivered
        self.recognizes = recognizes
    }

    /// Recognizes the final event by its data, such as `[DONE]`, which the sequence does not deliver by default.
    public static func data(_ data: String, isDelivered: Bool = false) -> FinalEvent {
        FinalEvent(isDelivered: isDelivered) { event, _ in event.data == data }
    }

    /// Recognizes the final event by its type, such as `message_stop`; the sequence delivers it by default: it may have the result.
    public static func event(_ types: String..., isDelivered: Bool = true) -> FinalEvent {
        FinalEvent(isDelivered: isDelivered) { types.contains($0.event) }
    }
}
