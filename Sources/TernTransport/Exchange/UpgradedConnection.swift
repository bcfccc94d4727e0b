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
/// It belongs to the code that takes it: no pool counts it any more. Releasing it untaken closes it.
public final class UpgradedConnection: Sendable {
    /// The connection.
    public let connection: any Connection
    /// What came behind the response head, as it came.
    package let receivedBytes: ByteBuffer

    /// What came behind the response head, which is the new protocol's already; often empty.
    public var received: Data { self.receivedBytes.withUnsafeReadableBytes { Data($0) } }

    /// Hands a connection over.
    package init(_ connection: any Connection, receivedBytes: ByteBuffer) {
        self.connection = connection
        self.receivedBytes = receivedBytes
    }

    /// Hands a connection over.
    ///
    /// - Parameters:
    ///   - connection: The connection, from which no other code reads.
    ///   - received: The bytes that came behind the response head. Defaults to none.
    public convenience init(_ connection: any Connection, received: Data = Data()) {
        self.init(connection, receivedBytes: ByteBuffer(bytes: received))
    }
}
