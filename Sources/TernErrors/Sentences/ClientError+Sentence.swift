// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension ClientError: LocalizedError {
    /// One English sentence that an app may show: what happened and, where that helps, on which host and what to do.
    ///
    /// Tern's own text has no line breaks, no parentheses and at most 160 characters. It is not stable: match the case instead.
    ///
    /// If code such as an interceptor or a rule threw a `LocalizedError`, the text is that error's own description. For a token
    /// provider or a request signer, this holds only for a `ClientError`.
    public var errorDescription: String? {
        let (server, peer) = (self.context.server, self.context.peer)
        return switch self {
        case .cancelled: "The request was cancelled."
        case .invalidRequest(let reason, _): reason.sentence
        case .timedOut(let timeout, let limit, _): timeout.sentence(after: limit, server)
        case .connectionFailed(let reason, _): reason.sentence(peer)
        case .tlsFailed(let reason, _): reason.sentence(peer)
        case .proxyFailed(let reason, _): reason.sentence(server)
        case .authenticationFailed(let reason, _): reason.sentence(peer)
        case .redirectFailed(let reason, _): reason.sentence(server)
        case .connectionLost(let reason, _): reason.lossSentence(peer)
        case .uploadFailed(let reason, _): reason.sentence
        case .fileFailed(let reason, _): reason.sentence
        case .bodyMisused(let reason, _): reason.sentence(server)
        case .webSocketRefused(let refusal, _): refusal.reason.sentence(server)
        case .validationFailed(let failure, _): failure.rule.sentence(server)
        case .decodingFailed(let failure, let context): failure.sentence(mediaType: failure.mediaType(context))
        case .digestFailed(let failure, _): failure.sentence(server)
        case .interceptorFailed(let error as ClientError, _): error.errorDescription
        // The error of a token provider may quote the token.
        case .interceptorFailed(_, let context) where context.phase == .authenticate:
            "The app could not sign in to \(server)."
        case .interceptorFailed(let error, _):
            (error as? any LocalizedError)?.errorDescription ?? "The app itself stopped the request to \(server)."
        default: self.sentenceAboutBytes(server)
        }
    }

    private func sentenceAboutBytes(_ server: String) -> String {
        switch self {
        case .truncated(let received, let expected?, _):
            "The transfer from \(server) ended after \(received) of \(Sentence.bytes(expected)); try again."
        case .truncated(let received, nil, _):
            "The transfer from \(server) ended early, after \(Sentence.bytes(received)); try again."
        case .bodyTooLarge(let limit, _):
            "The response from \(server) is longer than the limit of \(Sentence.bytes(limit))."
        case .lineTooLong(let limit, _):
            "A line of the response from \(server) is longer than the limit of \(Sentence.bytes(limit))."
        case .valueTooLong(let limit, _, _):
            "A part of the response from \(server) is longer than the limit of \(Sentence.bytes(limit))."
        case .messageTooLarge(let limit, _):
            "A WebSocket message from \(server) is longer than the limit of \(Sentence.bytes(limit))."
        case .webSocketClosed: "The WebSocket to \(server) is closed; connect again."
        case .notCached: "There is no stored copy to show, and this request is not allowed to use the network."
        // Only `protocolViolation` remains; all other cases have a sentence above.
        default: "The app could not read the data from \(server); try again later, or contact the server's operator."
        }
    }
}

extension Timeout {
    func sentence(after limit: Duration, _ server: String) -> String {
        let time = Sentence.text(of: limit)
        return switch self {
        case .connect: "Connecting to \(server) took longer than \(time); try again later."
        case .connection: "No connection to \(server) became free within \(time); try again later."
        case .firstByte: "No answer came from \(server) within \(time); try again later."
        case .idle: "The transfer with \(server) made no progress for \(time); try again."
        // No advice to try again: the app itself limits the time, and `isRetryable` is false.
        case .call: "The request to \(server) took longer than the limit of \(time)."
        case .pong: "The WebSocket to \(server) got no answer to a ping within \(time); connect again."
        case .close: "Closing the WebSocket to \(server) took longer than \(time)."
        }
    }
}
