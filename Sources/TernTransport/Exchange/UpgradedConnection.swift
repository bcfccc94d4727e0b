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
/// It belongs to the code that takes it, and no longer counts in any pool. If it is released without being taken, it
/// closes.
public final class UpgradedConnection: Sendable {
    /// The connection.
    public let connection: any Connection
    /// The bytes after the response head, unchanged.
    package let receivedBytes: ByteBuffer

    /// The bytes after the response head, which already belong to the new protocol; often empty.
    public var received: Data { self.receivedBytes.withUnsafeReadableBytes { Data($0) } }

    /// Creates a connection to hand over.
    package init(_ connection: any Connection, receivedBytes: ByteBuffer) {
        self.connection = connection
        self.receivedBytes = receivedBytes
    }

    /// Creates a connection to hand over.
    ///
    /// - Parameters:
    ///   - connection: The connection, from which no other code reads.
    ///   - received: The bytes after the response head. Defaults to none.
    public convenience init(_ connection: any Connection, received: Data = Data()) {
        self.init(connection, receivedBytes: ByteBuffer(bytes: received))
    }
}
