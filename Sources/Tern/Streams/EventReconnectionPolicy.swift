// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRetry

/// Settings that determine when, and after which failures, a ``ReconnectingEventStream`` connects again.
///
/// Before it connects again, the sequence usually waits a random time between zero and a bound ("full jitter"), so that the clients
/// of a server that restarts do not all return at the same moment. With each attempt in a row, the bound doubles, up to a maximum.
/// A response that lasts 5 seconds ends the row.
///
/// If the server has sent a `retry` field, the sequence waits at least the time in that field (one hour at most), and up to a
/// quarter longer (WHATWG HTML §9.2.3). A time below 500 milliseconds counts as 500 milliseconds, or as the policy's initial delay
/// if that is shorter. From the second attempt in a row, a bound counts, too, which doubles from that time if the initial delay is
/// shorter: the sequence waits up to the bound plus the quarter. While the server sends events and ends each response in order, the
/// bound does not count. After a refusal such as 503, the sequence also waits for the time in `Retry-After`, but at most a minute.
public struct EventReconnectionPolicy: Sendable {
    /// The way to continue a request that is not safe, such as a `POST`, once any part of the server's response has arrived.
    @nonexhaustive
    public enum Resumption: Hashable, Sendable {
        /// The sequence ends with that response, because the server may have acted on the request.
        case none
        /// The sequence continues with a `GET` of the same URL, without a body and with `Last-Event-ID`.
        ///
        /// Use this case for servers that store the events of an answer, such as those of the Model Context Protocol. If the
        /// sequence knows no ID of an event for the first `GET`, it ends.
        case get
    }

    package var initialDelay: Duration
    package var maximumDelay: Duration
    package var maximumAttemptCount: Int?
    package var resumption: Resumption
    package var isFinal: @Sendable (EventDisconnection) -> Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - initialDelay: The bound of the first pause, if the server has not sent a `retry` field.
    ///   - maximumDelay: The maximum of the bound of a pause. Beyond it, the bound does not double. A longer time in the server's
    ///     `retry` field still applies.
    ///   - maximumAttemptCount: The maximum number of times in a row that the sequence connects again; `nil` sets no limit. Beyond
    ///     it, the sequence ends with the error of the last attempt, if it had one.
    ///   - resumption: The way to continue a request that is not safe, such as a `POST`.
    ///   - isFinal: A closure that returns whether the end of a response, or the failure to get one, also ends the sequence.
    ///     Defaults to ``isFinalByDefault(_:)``.
    public init(
        initialDelay: Duration = .seconds(1),
        maximumDelay: Duration = .seconds(30),
        maximumAttemptCount: Int? = nil,
        resumption: Resumption = .none,
        isFinal: @escaping @Sendable (EventDisconnection) -> Bool = Self.isFinalByDefault
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.maximumAttemptCount = maximumAttemptCount
        self.resumption = resumption
        self.isFinal = isFinal
    }

    /// Returns whether a failure is final: connecting again would not help.
    ///
    /// The sequence connects again, for example, after the end of the response, a failure of the network or of an interceptor, a
    /// time limit other than that of the call, and one of `ClientError.transientStatusCodes`. It ends, for example, after another
    /// status or media type, an event that is too long, a broken protocol, a server that is not trusted, refused credentials, a
    /// redirect that cannot be followed, and a request that cannot be sent. After 204, it ends whatever the policy.
    public static func isFinalByDefault(_ disconnection: EventDisconnection) -> Bool {
        guard let error = disconnection.error else { return false }
        if case .timedOut(.call, _, _) = error { return true }
        return error.isFinalForReconnecting
    }

    /// The maximum time that a server can ask the sequence to wait.
    ///
    /// Beyond it, the sequence waits only for this time.
    private static let maximumServerDelay = Duration.seconds(3600)

    private static let serverJitter = 0.25

    /// Returns a random time from zero to the bound, or from `serverDelay` to the bound plus a quarter of `serverDelay`.
    package func delay(
        before attempt: Int,
        after serverDelay: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        guard let serverDelay else {
            return Backoff(initialDelay: self.initialDelay, maximumDelay: self.maximumDelay)
                .delay(before: attempt, using: &generator)
        }
        let floor = max(.zero, min(AttemptCount.minimumPause, self.initialDelay))
        let minimum = min(max(floor, serverDelay), Self.maximumServerDelay)
        // From the second attempt in a row, the sequence pauses even if the server asks for no pause.
        let backoff = Backoff(
            initialDelay: max(minimum, self.initialDelay),
            maximumDelay: max(minimum, self.maximumDelay),
            jitter: .none
        )
        let bound = attempt > 1 ? max(minimum, backoff.delay(before: attempt, using: &generator)) : minimum
        let jitter = minimum * Self.serverJitter + (bound - minimum)
        return minimum + jitter * Double.random(in: 0...1, using: &generator)
    }
}
