// SPDX-License-Identifier: Apache-2.0
public import TernErrors

extension ClientError {
    /// What a failure of the connection means for what was being done on it.
    ///
    /// - Parameters:
    ///   - failure: what the connection reported.
    ///   - context: where that happened.
    public init(_ failure: ConnectionError, _ context: Context) {
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
            }
    }
}
