// SPDX-License-Identifier: Apache-2.0
package import NIOCore
public import TernConnections

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A connection that has left HTTP: the server answered 101, and both sides speak another protocol (RFC 9110 §7.8).
///
/// The code that takes ``connection`` owns it, and the pool no longer counts it. If no code takes the connection,
/// releasing this object closes the connection.
public final class UpgradedConnection: Sendable {
    /// The connection.
    public let connection: any Connection
    /// The bytes that arrived after the response head, as a buffer.
    package let receivedBytes: ByteBuffer

    /// The bytes that arrived after the response head.
    ///
    /// They already belong to the new protocol; often there are none.
    public var received: Data { self.receivedBytes.withUnsafeReadableBytes { Data($0) } }

    /// Wraps a connection for the code that speaks the new protocol.
    package init(_ connection: any Connection, receivedBytes: ByteBuffer) {
        self.connection = connection
        self.receivedBytes = receivedBytes
    }

    /// Wraps a connection for the code that speaks the new protocol.
    ///
    /// - Parameters:
    ///   - connection: The connection. No other code may read from it.
    ///   - received: The bytes that arrived after the response head. Defaults to none.
    public convenience init(_ connection: any Connection, received: Data = Data()) {
        self.init(connection, receivedBytes: ByteBuffer(bytes: received))
    }
}
