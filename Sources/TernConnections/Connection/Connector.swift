// SPDX-License-Identifier: Apache-2.0

/// Makes connections: the only thing that the layers above know of the network.
public protocol Connector: Sendable {
    /// Connects; TLS, where it is wanted, is negotiated on the connection afterwards.
    ///
    /// - Parameters:
    ///   - endpoint: where to.
    ///   - deadline: when to give up; `nil` waits as long as the system does.
    /// - Returns: an open connection, owned by the caller.
    /// - Throws: ``ConnectionError``. Cancelling the task abandons the attempt and throws
    ///   ``ConnectionError/cancelled``.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection

    /// Connects as ``connect(to:deadline:)`` does, and says how: the look-up of the name, and each attempt.
    ///
    /// A connector that has nothing to say need not implement it.
    ///
    /// - Parameters:
    ///   - endpoint: where to.
    ///   - deadline: when to give up; `nil` waits as long as the system does.
    ///   - report: receives each step, on any thread, and must return soon; `nil` if no call wants to know.
    /// - Returns: an open connection, owned by the caller.
    /// - Throws: ``ConnectionError``. Cancelling the task abandons the attempt and throws
    ///   ``ConnectionError/cancelled``.
    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection

    /// An executor on which a task is closest to the connections, if there is one.
    var executor: (any TaskExecutor)? { get }
}

extension Connector {
    /// None.
    public var executor: (any TaskExecutor)? { nil }

    /// Says nothing.
    public func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection {
        try await self.connect(to: endpoint, deadline: deadline)
    }
}
