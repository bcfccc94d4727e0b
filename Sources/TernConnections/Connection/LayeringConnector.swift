// SPDX-License-Identifier: Apache-2.0

/// A connector that can also make a connection inside another one, such as TLS inside a tunnel.
package protocol LayeringConnector: Connector {
    /// Returns an unencrypted connection that sends and receives through `connection`, and owns `connection` unless this throws.
    func layer(over connection: any Connection) async throws(ConnectionError) -> any Connection
}
