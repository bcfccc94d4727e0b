// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernHTTP1
import TernTransport

extension Call {
    /// What a failure of the connection means for the call.
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
        var phase = phase
        if case .tls = failure, phase == .connect { phase = .tls }
        return ClientError(failure, self.context(phase, response: response))
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
        case _ where phase == .proxy:
            .proxyFailed(.violation(section: violation.section, reason: violation.reason), context)
        default: .protocolViolation(section: violation.section, reason: violation.reason, context)
        }
    }
}
