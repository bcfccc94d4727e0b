// SPDX-License-Identifier: Apache-2.0
public import NIOCore

/// A connection that has left HTTP: the server answered 101, and both sides speak another protocol (RFC 9110 §7.8).
///
/// It belongs to whoever takes it: no pool counts it any more. Releasing it untaken closes it.
public final class UpgradedConnection: Sendable {
    /// The connection.
    public let connection: any Connection
    /// What came behind the response head, which is the new protocol's already.
    public let received: ByteBuffer

    /// Hands a connection over.
    ///
    /// - Parameters:
    ///   - connection: the connection, of which nobody else reads.
    ///   - received: the bytes that came behind the response head; none by default.
    public init(_ connection: any Connection, received: ByteBuffer = ByteBuffer()) {
        self.connection = connection
        self.received = received
    }
}
