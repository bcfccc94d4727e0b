// SPDX-License-Identifier: Apache-2.0

// Exported, so that a file that imports only this module can use `description` and similar members
// (MemberImportVisibility).
@_exported public import TernValues
import HTTPTypes

extension ClientError: CustomStringConvertible {
    /// A text for logs, usually one line: what happened, then where; its wording is not stable, so match the case instead.
    public var description: String { "\(self.summary) (\(self.context.text(withStatus: !self.summaryContainsStatus)))" }

    package var summaryContainsStatus: Bool {
        let stated: Int? =
            switch self {
            case .validationFailed(let failure, _): if case .status(let code) = failure.rule { code } else { nil }
            case .webSocketRefused(let refusal, _): if case .status(let code) = refusal.reason { code } else { nil }
            case .proxyFailed(.refused(let code), _): code
            default: nil
            }
        return stated != nil && stated == self.status?.code
    }

    private var peer: String { self.context.phase == .proxy ? "proxy" : "server" }

    private var toProxy: String { self.context.phase == .proxy ? " to the proxy" : "" }

    private var thrower: String {
        self.context.phase == .authenticate
            ? "the token provider or the request signer" : "an interceptor or a custom rule"
    }

    package var summary: String {
        switch self {
        case .cancelled: "the call was cancelled"
        case .invalidRequest(.webSocketNotPossible(let reason), _):
            "\(RequestFailure.webSocketNotPossible(reason))"
        case .invalidRequest(let reason, _): "the request is invalid: \(reason)"
        case .timedOut(let timeout, let limit, _): "\(timeout) took longer than \(limit)"
        case .connectionFailed(let reason, _):
            "the client could not connect\(self.toProxy): \(reason.wording(of: self.peer))"
        case .tlsFailed(let reason, _): "TLS\(self.toProxy) failed: \(reason.wording(of: self.peer))"
        case .proxyFailed(let reason, _): "the client could not connect through the proxy: \(reason)"
        case .authenticationFailed(let reason, _): "authentication failed: \(reason)"
        case .redirectFailed(let reason, _): "the redirect was not followed: \(reason)"
        case .connectionLost(.streamReset(let code), _):
            ConnectionFailure.streamReset(code: code).wording(of: self.peer)
        case .connectionLost(.shutDown, _): ConnectionFailure.shutDown.wording(of: self.peer)
        case .connectionLost(let reason, _):
            "the connection\(self.toProxy) was lost: \(reason.wording(of: self.peer))"
        case .truncated(let received, let expected?, _):
            "the body ended early: \(received) of \(Sentence.bytes(expected)) arrived"
        case .truncated(let received, nil, _): "the body ended early, after \(Sentence.bytes(received))"
        case .protocolViolation(let section, let reason, _):
            "the client rejected what the server sent: \(Sentence.clause(reason)) (\(section))"
        case .bodyTooLarge(let limit, _): "the response body is longer than the limit of \(Sentence.bytes(limit))"
        case .lineTooLong(let limit, _):
            "a line of the response body is longer than the limit of \(Sentence.bytes(limit))"
        case .valueTooLong(let limit, let position, _):
            "\(position.event == nil ? "event or " : "")\(position) is longer than the limit of "
                + "\(Sentence.bytes(limit))"
        case .uploadFailed(let reason, _) where reason == .completionUnknown || reason == .finished: "\(reason)"
        case .uploadFailed(let reason, _): "the body could not be sent: \(reason)"
        case .fileFailed(let reason, _): "a file of the transfer could not be written: \(reason)"
        case .bodyMisused(let reason, _): "\(reason)"
        case .webSocketRefused(let refusal, _): "the WebSocket was not opened: \(refusal)"
        case .webSocketClosed(let code?, _): "the WebSocket is closed; the server sent the close code \(code)"
        case .webSocketClosed(nil, _): "the WebSocket is closed"
        case .notCached: "the request allows only a stored response, and no usable one is stored"
        case .messageTooLarge(let limit, _): "a WebSocket message is longer than the limit of \(Sentence.bytes(limit))"
        case .validationFailed(let failure, _): "the response was not accepted: \(failure)"
        case .decodingFailed(let failure, let context):
            "\(failure.position == nil ? "the data" : "a part of the body") could not be decoded as "
                + "\(ForeignText.shown(failure.type)): \(failure)"
                + (failure.mediaType(context).map { "; the media type of the response is \($0)" } ?? "")
        case .digestFailed(let failure, _): "the check of the digest failed: \(failure)"
        case .interceptorFailed(let error as any PlainlyDescribedError, _): "\(error)"
        // The text of a `ClientError` contains no secrets. Other errors may quote a token or a body.
        case .interceptorFailed(let error as ClientError, _): "\(self.thrower) ended the call with an error: \(error)"
        case .interceptorFailed(let error, _): "\(self.thrower) ended the call with \(type(of: error))"
        }
    }
}

extension ClientError.Context: CustomStringConvertible, CustomReflectable, Described, PartlyShown {
    package var wording: String { self.text(withStatus: true) }

    fileprivate func text(withStatus isStatusShown: Bool) -> String {
        var parts = self.origin.isEmpty ? [] : [ForeignText.shown(self.origin)]
        parts.append("phase \(self.phase.rawValue)")
        if self.attempt > 1 { parts.append("attempt \(self.attempt)") }
        if isStatusShown, let response = self.response { parts.append("status \(response.status.code)") }
        // A custom transport chooses the time, which need not fit into an `Int64`.
        let milliseconds: Double = self.elapsed / .milliseconds(1)
        parts.append("after \(Int64(min(max(milliseconds, -9e18), 9e18))) ms")
        return parts.joined(separator: ", ")
    }

    package var shownParts: KeyValuePairs<String, Any> {
        [
            "phase": self.phase, "origin": ForeignText.shown(self.origin), "attempt": self.attempt,
            "elapsed": self.elapsed, "status": self.response?.status.code as Any,
        ]
    }
}
