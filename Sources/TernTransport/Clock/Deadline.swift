// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// An instant after which waiting ends, and the limit that set it.
public struct Deadline: Hashable, Sendable {
    /// When waiting ends.
    public var instant: Instant
    /// Which limit it is.
    public var timeout: Timeout
    /// How long the limit is, for the error that reports it.
    public var limit: Duration

    /// Creates a deadline that ends `limit` after `start`.
    public init(_ timeout: Timeout, limit: Duration, from start: Instant) {
        self.instant = start.advanced(by: limit)
        self.timeout = timeout
        self.limit = limit
    }

    /// Creates a deadline `limit` after the clock's present, or `nil` without a limit.
    public init?(_ timeout: Timeout, limit: Duration?, on clock: any TransportClock) {
        guard let limit else { return nil }
        self.init(timeout, limit: limit, from: clock.now)
    }

    /// What it means for the call that it has passed.
    ///
    /// - Parameter context: what was waited for.
    /// - Returns: `ClientError.timedOut`.
    package func error(_ context: ClientError.Context) -> ClientError {
        .timedOut(self.timeout, limit: self.limit, context)
    }

    /// The earlier of two deadlines, either of which may be absent.
    public static func earlier(_ one: Deadline?, _ other: Deadline?) -> Deadline? {
        guard let one else { return other }
        guard let other else { return one }
        return one.instant <= other.instant ? one : other
    }
}
