// SPDX-License-Identifier: Apache-2.0

/// A connector that can also make a connection inside another one, such as TLS inside a tunnel.
package protocol LayeringConnector: Connector {
    /// Returns a connection that sends and receives its bytes through another one.
    ///
    /// The result can negotiate TLS with the peer at the far end of `connection`.
    ///
    /// - Parameter connection: An open connection without unread bytes. The result owns it, and closes it.
    /// - Returns: The connection, not yet encrypted.
    /// - Throws: ``ConnectionError``. After an error, the caller still owns `connection`.
    func layer(over connection: any Connection) async throws(ConnectionError) -> any Connection
}
