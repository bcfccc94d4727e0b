// SPDX-License-Identifier: Apache-2.0

/// Makes connections.
///
/// The layers above use the network only through this protocol.
public protocol Connector: Sendable {
    /// Connects to an endpoint, without TLS.
    ///
    /// If TLS is needed, the caller negotiates it on the connection afterwards, with
    /// ``Connection/startTLS(_:to:port:asking:deadline:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to connect to.
    ///   - deadline: The deadline for connecting. `nil` sets no limit other than the operating system's.
    /// - Returns: An open connection, owned by the caller.
    /// - Throws: ``ConnectionError``. Cancelling the task ends connecting with ``ConnectionError/cancelled``.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection

    /// Connects like ``connect(to:deadline:)``, and reports each step: the look-up of the name, and the attempt for
    /// each address.
    ///
    /// The default implementation reports no steps.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to connect to.
    ///   - deadline: The deadline for connecting. `nil` sets no limit other than the operating system's.
    ///   - report: Receives each step, on any thread, and must return soon. `nil` if the caller does not need the
    ///     steps.
    /// - Returns: An open connection, owned by the caller.
    /// - Throws: ``ConnectionError``. Cancelling the task ends connecting with ``ConnectionError/cancelled``.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection

    /// The executor that runs tasks on a thread that serves connections; `nil` if there is none.
    var executor: (any TaskExecutor)? { get }
}

extension Connector {
    /// The default implementation returns `nil`.
    public var executor: (any TaskExecutor)? { nil }

    /// The default implementation connects without reporting any steps.
    public func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection {
        try await self.connect(to: endpoint, deadline: deadline)
    }
}
