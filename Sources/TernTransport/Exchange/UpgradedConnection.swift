// SPDX-License-Identifier: Apache-2.0
package import NIOCore
public import TernConnections
public import TernFoundation

/// A connection, or a stream of an HTTP/2 connection, that the server has given over to another protocol.
///
/// Over HTTP/1.1, the server accepts with 101 (RFC 9110 §7.8). Over HTTP/2, it accepts an extended CONNECT with a status of 2xx,
/// and ``connection`` is only the stream of that request (RFC 8441 §5). The code that uses ``connection`` closes it, or releases
/// all references to it.
public final class UpgradedConnection: Sendable {
    /// The connection.
    public let connection: any Connection
    package let receivedBytes: ByteBuffer

    /// The bytes of the new protocol that arrived together with the response head; often there are none.
    public var received: Data { self.receivedBytes.withUnsafeReadableBytes { Data($0) } }

    package init(_ connection: any Connection, receivedBytes: ByteBuffer) {
        self.connection = connection
        self.receivedBytes = receivedBytes
    }

    /// Wraps a connection for the code that speaks the new protocol; no other code may read from the connection.
    public convenience init(_ connection: any Connection, received: Data = Data()) {
        self.init(connection, receivedBytes: ByteBuffer(bytes: received))
    }
}
