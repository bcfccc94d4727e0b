// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernTransport

/// The reason why the client retries.
@nonexhaustive
public enum RetryCause: Sendable {
    /// The last attempt failed.
    case failure(ClientError)
    /// The server's response makes the client try again, usually by its status, such as 503.
    case response(Response)
}
