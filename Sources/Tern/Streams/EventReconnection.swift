// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRetry

/// Decides what a ``ReconnectingEventStream`` does after the end of a response: the logic without I/O.
struct EventReconnection {
    enum Step {
        /// Wait, then send the request again, or a `GET` without a body.
        case pause(Duration, resumesByGet: Bool)
        /// The sequence ends, with this error or normally (`nil`).
        case end(ClientError?)
    }

    struct End {
        var error: ClientError?
        /// Whether a response has arrived, perhaps that of a proxy.
        var hasResponse: Bool
        /// Whether the server meant this end: the final event arrived, or the status was 204.
        var isWanted: Bool
        var eventCount: Int
        var lastEventID: String
        var serverDelay: Duration?
        /// The time for which the events were received; `nil` if the server did not accept the request.
        var duration: Duration?
        /// The `Retry-After` of the response, if it is an error.
        var retryAfter: Duration?

        /// Whether the server has answered, and not a proxy in its place.
        var isAnswered: Bool {
            self.hasResponse && (self.duration != nil || self.error?.context.isUndelivered != true)
        }

        /// Whether the server is polled at the pace that it chose: it has sent events, ended the response in order, and said when
        /// to ask again.
        var isPoll: Bool { self.error == nil && self.eventCount > 0 && self.serverDelay != nil }
    }

    let policy: EventReconnectionPolicy
    /// Whether the request may be sent again whatever happened: it is safe, and its body can be sent again.
    let isRepeatable: Bool
    let isBodyReplayable: Bool

    private var count = AttemptCount()
    /// The number of ends in a row for which the pause grows.
    private var failureCount = 0
    /// Whether a `GET` continues a request that is not safe.
    private var resumesByGet = false

    var attempt: Int { self.count.number }

    init(policy: EventReconnectionPolicy, method: HTTPRequest.Method, isBodyReplayable: Bool = true) {
        self.policy = policy
        self.isRepeatable = method.isSafe && isBodyReplayable
        self.isBodyReplayable = isBodyReplayable
    }

    mutating func ended(
        _ end: End,
        using generator: inout some RandomNumberGenerator
    ) -> (disconnection: EventDisconnection, step: Step) {
        self.count.ended(after: end.duration)
        self.failureCount = self.attempt == 1 || end.isPoll ? 1 : self.failureCount + 1
        var disconnection = EventDisconnection(error: end.error, lastEventID: end.lastEventID)
        let isLast = self.policy.maximumAttemptCount.map { self.attempt > $0 } ?? false
        guard !end.isWanted, !isLast, !self.policy.isFinal(disconnection), self.mayRepeat(end) else {
            return (disconnection, .end(end.error))
        }
        // Add the random pause, because many clients may have received the same `Retry-After`.
        let delay =
            self.policy.delay(before: self.failureCount, after: end.serverDelay, using: &generator)
            + (end.retryAfter ?? .zero)
        disconnection.retryDelay = delay
        return (disconnection, .pause(delay, resumesByGet: self.resumesByGet))
    }

    /// Returns whether another request does no harm, and decides whether it is a `GET` (RFC 9110 §9.2.2).
    private mutating func mayRepeat(_ end: End) -> Bool {
        if self.isRepeatable || self.resumesByGet { return true }
        guard end.isAnswered else {
            guard let context = end.error?.context, context.isUndelivered else { return false }
            // After a redirect or a challenge, a server has already answered an earlier attempt of the call.
            return context.isFirst && (self.isBodyReplayable || context.delivery == .notSent)
        }
        guard self.policy.resumption == .get, !end.lastEventID.isEmpty else { return false }
        self.resumesByGet = true
        return true
    }
}
