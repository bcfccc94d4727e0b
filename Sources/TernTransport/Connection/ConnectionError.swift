// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Why a ``Connector`` or a ``Connection`` could not do what it was asked.
///
/// It speaks of bytes only; the driver above adds which request suffered, and makes a `ClientError` of it.
@nonexhaustive
public enum ConnectionError: Error, Hashable, Sendable {
    /// The waiting task was cancelled.
    case cancelled
    /// The deadline of the operation passed.
    case timedOut(Deadline)
    /// No connection could be made.
    case notConnected(ConnectionFailure)
    /// TLS could not be established.
    case tls(TLSFailure)
    /// The connection is closed, by the peer or by this side.
    case closed
    /// The peer or the network reset the connection.
    case reset
    /// The peer ended TLS without saying so, which an attacker can do to cut a message short (RFC 8446 §6.1).
    case uncleanClose
    /// Reading or writing failed; the number is the system's `errno`.
    case system(errno: Int32)
    /// Two tasks waited for bytes of one connection at once.
    case concurrentReads
    /// A file that was being sent could not be read.
    case file(UploadFailure)
}
