// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
public import TernValues

/// An error of a ``Connector`` or a ``Connection``.
@nonexhaustive
public enum ConnectionError: Error, Hashable, Sendable {
    /// The waiting task was cancelled.
    case cancelled
    /// A time limit of the operation passed.
    case timedOut(CallDeadline)
    /// No connection could be made.
    case notConnected(ConnectionFailure)
    /// TLS could not be established, or failed later.
    case tls(TLSFailure)
    /// The connection has ended, or accepts no more bytes.
    case closed
    /// The connection was reset, usually by the peer or the network.
    case reset
    /// A TLS connection ended without `close_notify`; an attacker may have truncated the last message (RFC 8446 §6.1).
    case uncleanClose
    /// Reading or writing failed; the number is an `errno`.
    case system(errno: Int32)
    /// Two tasks read from one connection at the same time.
    case concurrentReads
    /// The client could not read a file that it was sending, or the file has changed.
    case file(UploadFailure)
    /// A custom connector or connection failed, with a reason for logs.
    case failed(reason: String)
}

/// Turns the reason of ``ConnectionError/failed(reason:)`` into an error for the caller.
struct CustomConnectionFailure: PlainlyDescribedError, LocalizedError {
    let description: String

    var errorDescription: String? { "The app's custom connection to the server failed." }
}

extension ClientError {
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
            case .failed(let reason): .interceptorFailed(CustomConnectionFailure(description: reason), context)
            }
    }
}

extension ConnectionError: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .cancelled: "the waiting task was cancelled"
        case .timedOut(let deadline): "\(deadline.timeout) took longer than \(deadline.limit)"
        case .notConnected(let reason): "no connection could be made: \(reason)"
        case .tls(let reason): "TLS failed: \(reason)"
        case .closed: "the connection is closed"
        case .reset: "the peer or the network reset the connection"
        case .uncleanClose: "the peer closed the connection without the TLS alert close_notify"
        case .system(let errno): SystemError.text(errno)
        case .concurrentReads: "two tasks read from the connection at the same time"
        case .file(let reason): "a file could not be sent: \(reason)"
        case .failed(let reason): ForeignText.shown(reason)
        }
    }
}

extension ConnectionError: LocalizedError {
    /// One sentence that an app may show; its wording may change.
    public var errorDescription: String? { ClientError(self, ClientError.Context(phase: .connect)).errorDescription }
}
