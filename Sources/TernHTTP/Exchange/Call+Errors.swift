// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernHTTP1
import TernTransport

extension Call {
    /// What a failure of the connection means for the call; the one place where the two are mapped.
    ///
    /// - Parameters:
    ///   - failure: what the connection reported.
    ///   - phase: what was being done.
    ///   - response: the response head, if there was one.
    /// - Returns: the public error.
    func error(
        _ failure: ConnectionError,
        _ phase: ClientError.Phase,
        response: HTTPResponse? = nil
    ) -> ClientError {
        let context = self.context(phase, response: response)
        return switch failure {
        case .cancelled: .cancelled(context)
        case .timedOut(let deadline): .timedOut(deadline.timeout, limit: deadline.limit, context)
        case .notConnected(let reason): .connectionFailed(reason, context)
        case .tls(let reason): .tlsFailed(reason, self.context(phase == .connect ? .tls : phase, response: response))
        case .closed, .uncleanClose: .connectionLost(.closed, context)
        case .reset: .connectionLost(.reset, context)
        case .system(let errno): .connectionLost(.system(errno: errno), context)
        case .concurrentReads: .bodyMisused(.concurrentReads, context)
        case .file(let reason): .uploadFailed(reason, context)
        }
    }

    /// What a broken rule, or an end in the wrong place, means for the call.
    func error(
        _ violation: HTTP1Violation,
        _ phase: ClientError.Phase,
        received: Int64 = 0,
        response: HTTPResponse? = nil
    ) -> ClientError {
        let context = self.context(phase, response: response)
        return switch violation {
        case .closedBeforeResponse, .truncatedHead: .connectionLost(.closed, context)
        case .truncatedBody(let received, let expected): .truncated(received: received, expected: expected, context)
        case .truncatedChunkedBody: .truncated(received: received, expected: nil, context)
        default: .protocolViolation(section: violation.section, reason: violation.reason, context)
        }
    }
}
