// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernErrors
import TernRequests
import TernRetry

extension AttemptResult {
    /// 501, 505, 506 and 510 mean that the server cannot process such a request.
    private static let permanentStatusCodes: Set<Int> = [501, 505, 506, 510]
    /// The statuses of requests that were not processed: 408 "did not receive a complete request message" (RFC 9110 §15.5.9), 425
    /// "unwilling to risk processing" (RFC 8470 §5.2), 429 (RFC 6585 §4), 503 "currently unable to handle" (RFC 9110 §15.6.4).
    private static let unprocessedStatusCodes: Set<Int> = [408, 425, 429, 503]

    static func isPassing(_ status: Int) -> Bool {
        ClientError.transientStatusCodes.contains(status)
            || 500..<600 ~= status && !Self.permanentStatusCodes.contains(status)
    }

    /// Whether the status of a response, which came after some redirects, says that the server did not process the request.
    ///
    /// With 301, 302 and 303, the server may have done so, and names another resource, which the client gets (RFC 9110 §15.4).
    static func isUnprocessed(_ status: Int, after redirects: [Int] = []) -> Bool {
        guard redirects.allSatisfy({ $0 >= 307 }) else { return false }
        return Self.unprocessedStatusCodes.contains(status) || status >= 307 && !Self.isPassing(status)
    }

    init(status: Int, _ fields: HTTPFields, now: HTTPDate, _ error: ClientError?) {
        let message = error.map { "\($0)" } ?? "the server answered with the status \(status)"
        guard Self.isPassing(status) else {
            self.init(.failed(isAnswered: true), TransferFailure(.refused, message, error))
            return
        }
        let serverTime = fields[.date].flatMap { HTTPDate($0, now: now) } ?? now
        let delay = fields[.retryAfter].flatMap { RetryAfter($0, now: now) }?.delay(from: serverTime)
        self.init(
            .passing(retryAfter: delay, isAnswered: true),
            TransferFailure(.serverUnavailable, message, error)
        )
    }

    init(_ error: ClientError, now: HTTPDate) {
        if case .validationFailed(let failure, let context) = error, case .status(let code) = failure.rule {
            self.init(status: code, context.response?.headerFields ?? [:], now: now, error)
            return
        }
        let (reason, end) = Self.verdict(error)
        self.init(end, TransferFailure(reason, "\(error)", error))
    }

    private static let permanent = AttemptEnd.failed(isAnswered: false)
    private static let passing = AttemptEnd.passing(retryAfter: nil, isAnswered: false)

    private static func verdict(_ error: ClientError) -> (TransferFailure.Reason, AttemptEnd) {
        switch error {
        case .connectionFailed(let failure, _): Self.verdict(failure)
        // Nothing has answered, as if there was no network.
        case .timedOut(.connect, _, _): (.network, .unreachable)
        case .timedOut, .connectionLost, .truncated, .tlsFailed(.closed, _): (.connection, Self.passing)
        case .tlsFailed: (.tls, Self.permanent)
        case .proxyFailed(let failure, _): Self.verdict(failure)
        case .interceptorFailed: (.delegate, Self.passing)
        case .authenticationFailed, .redirectFailed, .protocolViolation:
            (.protocol, .failed(isAnswered: true))
        case .validationFailed: (.refused, .failed(isAnswered: true))
        case .digestFailed: (.digest, .failed(isAnswered: true))
        case .uploadFailed(let failure, _): Self.verdict(failure)
        case .fileFailed(.inUse, _): (.file, Self.passing)
        case .fileFailed: (.file, Self.permanent)
        case .invalidRequest: (.invalidRequest, Self.permanent)
        default: (.other, Self.permanent)
        }
    }

    private static func verdict(_ failure: ConnectionFailure) -> (TransferFailure.Reason, AttemptEnd) {
        switch failure {
        case .noNetwork, .unreachable, .resolution(isTemporary: true): (.network, .unreachable)
        // The host, or a router, has answered.
        case .refused: (.connection, .passing(retryAfter: nil, isAnswered: true))
        default: (.connection, Self.passing)
        }
    }

    private static func verdict(_ failure: ProxyFailure) -> (TransferFailure.Reason, AttemptEnd) {
        switch failure {
        case .refused(let status) where Self.isPassing(status):
            (.connection, .passing(retryAfter: nil, isAnswered: true))
        case .socks: (.connection, .passing(retryAfter: nil, isAnswered: true))
        default: (.protocol, Self.permanent)
        }
    }

    private static func verdict(_ failure: UploadFailure) -> (TransferFailure.Reason, AttemptEnd) {
        switch failure {
        case .completionUnknown: (.possiblyProcessed, .failed(isAnswered: true))
        // The server has lost the upload, or received other bytes than the client sent. The next attempt begins again.
        case .uploadLost: (.serverUnavailable, .passing(retryAfter: nil, isAnswered: true))
        case .damaged: (.connection, .passing(retryAfter: nil, isAnswered: true))
        case .tooLarge, .tooSmall: (.refused, .failed(isAnswered: true))
        case .offsetsDiffer, .notResumable: (.protocol, .failed(isAnswered: true))
        default: (.file, Self.permanent)
        }
    }
}

extension ClientError {
    /// Whether the error of an upload without a record says that the server has not processed the file.
    var showsNoProcessing: Bool {
        guard !self.context.followsAnsweredRequest else { return false }
        guard self.context.delivery == .unknown else { return true }
        switch self {
        case .invalidRequest: return true
        // A server that has lost the upload twice did not complete it: otherwise, the error is `completionUnknown`.
        case .uploadFailed(.uploadLost, _), .uploadFailed(.tooLarge, _), .uploadFailed(.tooSmall, _): return true
        case .validationFailed(let failure, _):
            guard case .status(let code) = failure.rule else { return false }
            return AttemptResult.isUnprocessed(code)
        case .authenticationFailed(_, let context), .redirectFailed(_, let context):
            return context.response.map { AttemptResult.isUnprocessed($0.status.code) } ?? false
        default: return false
        }
    }
}
