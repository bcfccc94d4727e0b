// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernURLLoading

/// The reason that an exchange over `URLSession` ended early.
enum ExchangeFailure: Error, Sendable {
    case session(SessionFailure)
    case tooManyUnreadBytes(limit: Int)
    /// `URLSession` may have dropped the body of a redirect that it cannot follow.
    case bodyDropped
    case truncated
    /// Such as a cancellation, a passed time limit, a delegate that refused the server, or a body that could not be sent.
    case call(ClientError)
    case discarded

    /// The task ended without a response and without an error.
    static let noResponse = ExchangeFailure.session(SessionFailure(.badServerResponse))
}
