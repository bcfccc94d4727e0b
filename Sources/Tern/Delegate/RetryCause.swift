// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernTransport

/// Why a request is tried again.
@nonexhaustive
public enum RetryCause: Sendable {
    /// It failed before a response came.
    case failure(ClientError)
    /// The server answered that it cannot serve the request now.
    case response(Response)
}
