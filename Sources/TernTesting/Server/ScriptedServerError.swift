// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// The reason why a server in a test could not continue.
@nonexhaustive
public enum ScriptedServerError: Error, Hashable, Sendable {
    /// The server could not read the named part of what the client sent.
    case malformedRequest(String)
    /// The client ended its side too early, such as in the middle of a request.
    case truncatedRequest
}

extension ScriptedServerError: CustomStringConvertible {
    /// A short text for a log; its wording may change.
    public var description: String {
        switch self {
        case .malformedRequest(let part): "the test server could not read \(part) from the client"
        case .truncatedRequest: "the client closed the connection in the middle of its request"
        }
    }
}

extension ScriptedServerError: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? {
        switch self {
        case .malformedRequest(let part): "The test server could not read \(part) from the client."
        case .truncatedRequest: "The client closed the connection in the middle of its request."
        }
    }
}
