// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors

/// Decides what a ``ReconnectingEventStream`` does after the end of a response: the logic without I/O.
struct EventReconnection {
    /// The next step of the sequence.
    enum Step {
        /// Wait, then send the request again, as a `GET` without a body if `resumesByGet` is true.
        case pause(Duration, resumesByGet: Bool)
        /// The sequence ends, with this error or normally (`nil`).
        case end(ClientError?)
    }

    /// The end of a response, or the failure to get one.
    struct End {
        var error: ClientError?
        /// Whether any part of a response arrived.
        var hasResponse: Bool
        /// Whether the server meant this end, so that no further request follows: the final event arrived, or the
        /// status was 204.
        var isWanted: Bool
        /// The number of events that arrived in this response.
        var eventCount: Int
        var lastEventID: String
        var serverDelay: Duration?
    }

    let policy: EventReconnectionPolicy
    /// Whether the request may be sent again whatever happened: it is safe (RFC 9110 §9.2.1), and its body can be sent
    /// again.
    let isRepeatable: Bool
    /// Whether the body, if any, can be read a second time.
    let isBodyReplayable: Bool

    /// The number of the next attempt to connect since the last event, from 1; 0 before the first end of a response.
    private(set) var attempt = 0
    /// Whether a `GET` continues a request that is not safe.
    private var resumesByGet = false

    init(policy: EventReconnectionPolicy, method: HTTPRequest.Method, isBodyReplayable: Bool = true) {
        self.policy = policy
        self.isRepeatable = method.isSafe && isBodyReplayable
        self.isBodyReplayable = isBodyReplayable
    }

    /// Returns a description of an end, and the next step.
    mutating func ended(
        _ end: End,
        using generator: inout some RandomNumberGenerator
    ) -> (disconnection: EventDisconnection, step: Step) {
        if end.eventCount > 0 { self.attempt = 0 }
        self.attempt += 1
        var disconnection = EventDisconnection(error: end.error, lastEventID: end.lastEventID)
        let isLast = self.policy.maximumAttemptCount.map { self.attempt > $0 } ?? false
        guard !end.isWanted, !isLast, !self.policy.isFinal(disconnection), self.mayRepeat(end) else {
            return (disconnection, .end(end.error))
        }
        let delay = self.policy.delay(before: self.attempt, after: end.serverDelay, using: &generator)
        disconnection.retryDelay = delay
        return (disconnection, .pause(delay, resumesByGet: self.resumesByGet))
    }

    /// Returns whether another request does no harm, and decides whether that request is a `GET`.
    ///
    /// "A client SHOULD NOT automatically retry a request with a non-idempotent method unless it has some means to know
    /// that the request semantics are actually idempotent […], or some means to detect that the original request was
    /// never applied" (RFC 9110 §9.2.2).
    private mutating func mayRepeat(_ end: End) -> Bool {
        if self.isRepeatable || self.resumesByGet { return true }
        if !end.hasResponse, let context = end.error?.context, context.delivery != .unknown {
            // After a redirect or a challenge, a server has already answered an earlier attempt of the call.
            return context.attempt == 1 && (self.isBodyReplayable || context.delivery == .notSent)
        }
        guard end.hasResponse, self.policy.resumption == .get, !end.lastEventID.isEmpty else { return false }
        self.resumesByGet = true
        return true
    }
}
