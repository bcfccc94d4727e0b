// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernURLLoading

/// The reason that an exchange over `URLSession` ended early.
enum ExchangeFailure: Error, Sendable {
    case session(SessionFailure)
    case tooManyUnreadBytes(limit: Int)
    /// `URLSession` had no body for a redirect without a target.
    case bodyDropped
    case truncated
    /// The call was cancelled or timed out, a delegate refused the server, or the body could not be sent.
    case call(ClientError)
    case discarded

    /// The task ended without a response and without an error.
    static let noResponse = ExchangeFailure.session(SessionFailure(.badServerResponse))
}
