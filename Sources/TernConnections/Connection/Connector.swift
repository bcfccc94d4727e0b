// SPDX-License-Identifier: Apache-2.0

/// Makes connections.
///
/// The layers above use the network only through this protocol.
public protocol Connector: Sendable {
    /// Connects. TLS, if needed, is negotiated on the connection afterwards.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to connect to.
    ///   - deadline: The deadline for connecting. `nil` waits as long as the system does.
    /// - Returns: An open connection, owned by the caller.
    /// - Throws: ``ConnectionError``. Cancelling the task abandons the attempt and throws
    ///   ``ConnectionError/cancelled``.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection

    /// Connects like ``connect(to:deadline:)``, and reports each step: the look-up of the name, and each attempt.
    ///
    /// A connector without steps to report need not implement it.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to connect to.
    ///   - deadline: The deadline for connecting. `nil` waits as long as the system does.
    ///   - report: Receives each step, on any thread, and must return soon. `nil` if no call needs the steps.
    /// - Returns: An open connection, owned by the caller.
    /// - Throws: ``ConnectionError``. Cancelling the task abandons the attempt and throws
    ///   ``ConnectionError/cancelled``.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection

    /// The executor that runs tasks on a thread that serves connections; `nil` if there is none.
    var executor: (any TaskExecutor)? { get }
}

extension Connector {
    /// The default executor, `nil`.
    public var executor: (any TaskExecutor)? { nil }

    /// Connects without reporting any steps.
    public func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection {
        try await self.connect(to: endpoint, deadline: deadline)
    }
}
