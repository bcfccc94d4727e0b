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
/// Without such a rule, a stream ends normally when the server ends the response, as a proxy or a server that restarts may do,
/// too. With a rule, it ends normally only after its final event, or with the status 204; every other end is
/// `ClientError.truncated`. The final event counts even without the blank line after it. If the sequence delivers it, its last
/// line must have ended, so that its data is complete.
public struct FinalEvent: Sendable {
    package var isDelivered: Bool
    package var matches: @Sendable (ServerSentEvent) -> Bool

    /// Creates a rule from a closure, which the sequence calls for every event, in order.
    public init(isDelivered: Bool = true, matches: @escaping @Sendable (ServerSentEvent) -> Bool) {
        self.isDelivered = isDelivered
        self.matches = matches
    }

    /// Recognizes the final event by its data, such as `[DONE]`, which the sequence does not deliver by default.
    public static func data(_ data: String, isDelivered: Bool = false) -> FinalEvent {
        FinalEvent(isDelivered: isDelivered) { $0.data == data }
    }

    /// Recognizes the final event by one of its types, such as `message_stop`; it is delivered, because it may contain the
    /// result.
    public static func event(_ types: String..., isDelivered: Bool = true) -> FinalEvent {
        FinalEvent(isDelivered: isDelivered) { types.contains($0.event) }
    }
}
