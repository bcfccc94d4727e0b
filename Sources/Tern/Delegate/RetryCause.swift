// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernTransport

/// The reason why the client retries.
@nonexhaustive
public enum RetryCause: Sendable {
    /// The last attempt failed before a response arrived.
    case failure(ClientError)
    /// The server's response has a status that the retry policy retries, such as 503.
    case response(Response)
}
