// SPDX-License-Identifier: Apache-2.0

/// Makes connections to servers and proxies.
public protocol Connector: Sendable {
    /// Connects to an endpoint without TLS; the caller negotiates TLS afterwards, if the server needs it.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to connect to.
    ///   - deadline: The deadline for connecting. `nil` leaves the limit to the connector and the operating system.
    /// - Returns: An open connection, owned by the caller.
    /// - Throws: ``ConnectionError``; ``ConnectionError/cancelled`` when the task is cancelled.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection

    /// Connects like ``connect(to:deadline:)``, and reports each step, on any thread, to a closure that must return soon.
    ///
    /// The default implementation reports no steps.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection

    /// The executor that runs tasks on a thread that serves connections; `nil` if there is none.
    var executor: (any TaskExecutor)? { get }
}

extension Connector {
    public var executor: (any TaskExecutor)? { nil }

    public func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection {
        try await self.connect(to: endpoint, deadline: deadline)
    }
}
