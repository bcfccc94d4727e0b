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
    func connect(to endpoint: Endpoint, deadline: Deadline?) async throws(ConnectionError) -> any Connection

    /// An executor on which a task is closest to the connections, if there is one.
    var executor: (any TaskExecutor)? { get }
}

extension Connector {
    /// None.
    public var executor: (any TaskExecutor)? { nil }
}
