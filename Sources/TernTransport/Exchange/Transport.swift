// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Performs one exchange: a request out, a response back.
public protocol Transport: Sendable {
    /// Sends the request and returns when the head of the final response is here.
    ///
    /// - Throws: `ClientError`. Cancelling the task ends the exchange at once with `.cancelled`.
    func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply
}
