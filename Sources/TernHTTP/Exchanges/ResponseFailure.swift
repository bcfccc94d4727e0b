// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP1
import TernHTTP2
import TernTransport

enum ResponseFailure: Error {
    /// An error of the connection or of a read, such as a time limit or a cancellation.
    case connection(ConnectionError)
    case violation(HTTP1Violation)
    case unsupportedTransferCoding
    /// The HTTP/2 stream of the exchange could not be opened, so nothing was sent.
    case opening(HTTP2OpeningFailure)
    /// The HTTP/2 stream ended before the response was complete.
    case stream(HTTP2StreamFailure, HTTP2Delivery)

    func clientError(
        for call: HTTPCall,
        phase: ClientError.Phase,
        received byteCount: Int64 = 0,
        expected: Int64? = nil,
        response: HTTPResponse? = nil
    ) -> ClientError {
        switch self {
        case .opening(let failure): return call.error(failure)
        case .stream(let failure, let delivery):
            var context = call.context(phase, response: response)
            if delivery == .refused { context.delivery = .refused }
            switch failure {
            case .violation(let violation), .connectionFailed(let violation):
                return .protocolViolation(section: violation.section, reason: violation.reason, context)
            case .reset(let code), .goingAway(let code):
                guard phase == .body else { return .connectionLost(.streamReset(code: code.rawValue), context) }
                return .truncated(received: byteCount, expected: expected, context)
            case .connectionEnded:
                guard phase == .body else { return .connectionLost(.closed, context) }
                return .truncated(received: byteCount, expected: expected, context)
            }
        case .violation(let violation):
            return call.error(violation, phase, received: byteCount, response: response)
        case .unsupportedTransferCoding:
            let (section, reason) = (
                "RFC 9112 §6.1", "The response has transfer codings that the client does not support."
            )
            return .protocolViolation(section: section, reason: reason, call.context(phase, response: response))
        case .connection(let failure):
            switch failure {
            case .closed, .reset, .uncleanClose, .system:
                guard phase == .body else { return call.error(failure, phase, response: response) }
                return .truncated(received: byteCount, expected: expected, call.context(phase, response: response))
            default:
                return call.error(failure, phase, response: response)
            }
        }
    }
}

extension HTTPCall {
    func error(
        _ failure: ConnectionError,
        _ phase: ClientError.Phase,
        response: HTTPResponse? = nil
    ) -> ClientError {
        var phase = phase
        if case .tls = failure, phase == .connect { phase = .tls }
        return ClientError(failure, self.context(phase, response: response))
    }

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
