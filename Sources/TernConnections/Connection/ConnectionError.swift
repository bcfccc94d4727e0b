// SPDX-License-Identifier: Apache-2.0
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a ``Connector`` or a ``Connection`` could not do what it was asked.
///
/// It speaks of bytes only; the driver above adds which request suffered, and makes a `ClientError` of it.
@nonexhaustive
public enum ConnectionError: Error, Hashable, Sendable {
    /// The waiting task was cancelled.
    case cancelled
    /// The deadline of the operation passed.
    case timedOut(CallDeadline)
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
    /// A connector or a connection of the application's own gave up, for the reason in the text, which is for logs.
    case failed(reason: String)
}

/// The reason of ``ConnectionError/failed(reason:)``, as a call throws it.
struct ConnectionGivenUp: PlainlyDescribedError {
    let description: String
}

extension ClientError {
    /// What a failure of the connection means for what was being done on it.
    ///
    /// - Parameters:
    ///   - failure: what the connection reported.
    ///   - context: where that happened.
    package init(_ failure: ConnectionError, _ context: Context) {
        self =
            switch failure {
            case .cancelled: .cancelled(context)
            case .timedOut(let deadline): deadline.error(context)
            case .notConnected(let reason): .connectionFailed(reason, context)
            case .tls(let reason): .tlsFailed(reason, context)
            case .closed, .uncleanClose: .connectionLost(.closed, context)
            case .reset: .connectionLost(.reset, context)
            case .system(let errno): .connectionLost(.system(errno: errno), context)
            case .concurrentReads: .bodyMisused(.concurrentReads, context)
            case .file(let reason): .uploadFailed(reason, context)
            case .failed(let reason): .interceptorFailed(ConnectionGivenUp(description: reason), context)
            }
    }
}

extension ConnectionError: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { ClientError(self, ClientError.Context(phase: .connect)).errorDescription }
}
