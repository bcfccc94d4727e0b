// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernTransport

/// The reason for a retry.
@nonexhaustive
public enum RetryCause: Sendable {
    /// The last attempt failed before a response arrived.
    case failure(ClientError)
    /// The server's response says that it cannot serve the request now.
    case response(Response)
}
