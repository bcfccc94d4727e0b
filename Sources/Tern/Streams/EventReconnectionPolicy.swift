// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRetry

/// Settings that determine when, and after which failures, a ``ReconnectingEventStream`` connects again.
///
/// Before it connects again, the sequence waits a random time between zero and a bound ("full jitter"). So the clients
/// of a server that restarts do not all return at the same moment. With each attempt in a row, the bound doubles, up to
/// a maximum. Attempts are in a row until a response lasts 5 seconds.
///
/// If the server has sent a `retry` field, the sequence waits at least the time in that field (one hour at most), and
/// up to a quarter longer (WHATWG HTML §9.2.3). A time below 500 milliseconds counts as 500 milliseconds, or as the
/// policy's initial delay if that is shorter. From the second attempt in a row, the wait may be longer: if the bound
/// exceeds the server's time, the sequence waits up to the bound plus that quarter. But the wait does not grow while
/// the server sends events and ends each response in order.
///
/// If the server refuses a request with `Retry-After`, the sequence waits for this time, too, but at most a minute.
public struct EventReconnectionPolicy: Sendable {
    /// The way to continue a request that is not safe, such as a `POST`, once any part of a response has arrived.
    @nonexhaustive
    public enum Resumption: Hashable, Sendable {
        /// The sequence ends with that response, because the server may have acted on the request.
        case none
        /// The sequence continues with a `GET` of the same URL, without a body and with `Last-Event-ID`.
        ///
        /// Use this case for servers that keep the events of an answer, such as those of the Model Context Protocol.
        /// Without the ID of an event, the sequence ends.
        case get
    }

    /// The bound of the first pause, if the server has not sent a `retry` field.
    package var initialDelay: Duration
    /// The maximum of the bound.
    package var maximumDelay: Duration
    /// The maximum number of times in a row that the sequence connects again; `nil` sets no limit.
    package var maximumAttemptCount: Int?
    /// The way to continue a request that is not safe.
    package var resumption: Resumption
    /// A closure that returns whether the end of a response, or the failure to get one, is final.
    package var isFinal: @Sendable (EventDisconnection) -> Bool

    /// Creates a policy.
    ///
    /// The defaults suit most programs.
    ///
    /// - Parameters:
    ///   - initialDelay: The bound of the first pause, if the server has not sent a `retry` field. Defaults to 1
    ///     second.
    ///   - maximumDelay: The maximum of the bound of a pause. If the server's `retry` field has a longer time, that
    ///     time applies, up to one hour. Defaults to 30 seconds.
    ///   - maximumAttemptCount: The maximum number of times in a row that the sequence connects again. A response that
    ///     lasts 5 seconds starts the count again. Defaults to `nil`, which sets no limit.
    ///   - resumption: The way to continue a request that is not safe, such as a `POST`. Defaults to `.none`.
    ///   - isFinal: A closure that returns whether the end of a response, or the failure to get one, also ends the
    ///     sequence. Defaults to ``isFinalByDefault(_:)``.
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
    /// | how the response ended, or why there was none | final |
    /// | --- | --- |
    /// | the server ended the response, or the connection broke | no |
    /// | the server was silent for too long, or another time limit passed, except the limit of the call | no |
    /// | the response has one of `ClientError.transientStatusCodes` | no |
    /// | the response has another status, except 204, or another media type | yes |
    /// | an event is too long, or the server or the proxy broke the protocol | yes |
    /// | the server is not trusted, or does not trust this client | yes |
    /// | the credentials cannot be used, or the challenge was cancelled | yes |
    /// | a redirect cannot be followed | yes |
    /// | the request cannot be sent | yes |
    ///
    /// After 204, the sequence always ends, whatever the policy.
    ///
    /// - Parameter disconnection: The end of the response, or the failure to get one.
    /// - Returns: `true` if the sequence ends and does not connect again.
    public static func isFinalByDefault(_ disconnection: EventDisconnection) -> Bool {
        guard let error = disconnection.error else { return false }
        if case .timedOut(.call, _, _) = error { return true }
        return error.isFinalForReconnecting
    }

    /// The maximum time that a server can ask the sequence to wait.
    private static let maximumServerDelay = Duration.seconds(3600)

    /// The maximum jitter, as a fraction of the time that a server asks to wait.
    private static let serverJitter = 0.25

    /// Returns a random time to wait before connecting again.
    ///
    /// - Parameters:
    ///   - attempt: The number of the pause, from 1. The bound doubles with each number, up to the maximum.
    ///   - serverDelay: The time that the server asks to wait; `nil` if it has not sent a `retry` field.
    ///   - generator: The source of randomness.
    /// - Returns: A time from zero to the bound. With a `serverDelay`, a time from `serverDelay` to the bound plus a
    ///   quarter of `serverDelay`; the bound is then at least `serverDelay`. A `serverDelay` that is too short or too
    ///   long counts as the nearest one that is allowed.
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
