// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Sends a request and receives its response.
public protocol Transport: Sendable {
    /// Sends the request and returns when the head of the final response has arrived; cancellation ends the exchange at once.
    func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply
}
