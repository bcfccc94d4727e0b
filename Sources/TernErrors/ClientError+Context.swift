// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernValues

extension ClientError {
    /// What was being attempted; safe to log, for it never holds field values, bodies or URL queries.
    public struct Context: Sendable {
        /// The step of the call that failed.
        public var phase: Phase
        /// Scheme, host and port, and nothing more: `https://example.com:443`; empty when the URL has none.
        public var origin: String
        /// Which try this was, counting from 1.
        public var attempt: Int
        /// The time from the start of the call to the failure.
        public var elapsed: Duration
        /// How much of the request of this attempt the server may have.
        ///
        /// Defaults to ``ClientError/Delivery/unknown``, which makes the client repeat only idempotent requests.
        public var delivery: Delivery
        /// The head of the response, if one had arrived; not part of any description, nor of what `dump` shows.
        public var response: HTTPResponse? {
            get { self.concealedResponse.value }
            set { self.concealedResponse.value = newValue }
        }

        private var concealedResponse: Concealed<HTTPResponse?>

        /// Creates a context.
        ///
        /// - Parameters:
        ///   - phase: the step that failed.
        ///   - origin: scheme, host and port; empty by default.
        ///   - attempt: which try this was, from 1; 1 by default.
        ///   - elapsed: the time since the call began; zero by default.
        ///   - delivery: How much of the request the server may have. Defaults to ``ClientError/Delivery/unknown``.
        ///   - response: the response head, if one had arrived; `nil` by default.
        public init(
            phase: Phase,
            origin: String = "",
            attempt: Int = 1,
            elapsed: Duration = .zero,
            delivery: Delivery = .unknown,
            response: HTTPResponse? = nil
        ) {
            self.phase = phase
            self.origin = origin
            self.attempt = attempt
            self.elapsed = elapsed
            self.delivery = delivery
            self.concealedResponse = Concealed(response)
        }
    }

    /// How much of a request that failed the server may have (RFC 9110 §9.2.2).
    @nonexhaustive
    public enum Delivery: Hashable, Sendable {
        /// Nothing was handed to the network.
        case notSent
        /// The server says that it did not act on the request.
        case refused
        /// The server may have acted on the request, or may not have received it.
        case unknown
    }

    /// A step of a call, in the order in which they happen.
    @nonexhaustive
    public enum Phase: String, Hashable, Sendable {
        /// The request is checked; nothing was sent.
        case prepare
        /// The call waits for a free connection, because the host has as many as it may.
        case wait
        /// The host name is looked up.
        case resolve
        /// A connection is made.
        case connect
        /// A proxy is asked for a connection to the server.
        case proxy
        /// TLS is negotiated.
        case tls
        /// The request head or its body is sent.
        case send
        /// The request was sent, the response head is awaited.
        case head
        /// The response body is read.
        case body
        /// A challenge is answered (RFC 9110 §11).
        case authenticate
        /// A redirect is followed (RFC 9110 §15.4).
        case redirect
        /// Another try is awaited, after one that failed.
        case retry
        /// What was received is stored in a file.
        case store
        /// Messages are exchanged over an open WebSocket.
        case messages
        /// The response is held against the rules for it.
        case validate
        /// The body is decoded as a value.
        case decode
    }

    /// What every case carries.
    public var context: Context {
        get {
            switch self {
            case .cancelled(let context), .invalidRequest(_, let context), .timedOut(_, _, let context),
                .connectionFailed(_, let context), .tlsFailed(_, let context), .connectionLost(_, let context),
                .truncated(_, _, let context), .protocolViolation(_, _, let context), .bodyTooLarge(_, let context),
                .lineTooLong(_, let context), .uploadFailed(_, let context), .fileFailed(_, let context),
                .bodyMisused(_, let context), .webSocketRefused(_, let context), .webSocketClosed(_, let context),
                .messageTooLarge(_, let context), .proxyFailed(_, let context),
                .authenticationFailed(_, let context), .redirectFailed(_, let context),
                .validationFailed(_, let context), .decodingFailed(_, let context),
                .digestFailed(_, let context), .interceptorFailed(_, let context), .notCached(let context):
                context
            }
        }
        set { self = self.replacingContext(newValue) }
    }

    private func replacingContext(_ context: Context) -> ClientError {
        switch self {
        case .cancelled: .cancelled(context)
        case .invalidRequest(let reason, _): .invalidRequest(reason, context)
        case .timedOut(let timeout, let limit, _): .timedOut(timeout, limit: limit, context)
        case .connectionFailed(let reason, _): .connectionFailed(reason, context)
        case .tlsFailed(let reason, _): .tlsFailed(reason, context)
        case .proxyFailed(let reason, _): .proxyFailed(reason, context)
        case .authenticationFailed(let reason, _): .authenticationFailed(reason, context)
        case .redirectFailed(let reason, _): .redirectFailed(reason, context)
        case .connectionLost(let reason, _): .connectionLost(reason, context)
        case .truncated(let received, let expected, _): .truncated(received: received, expected: expected, context)
        case .protocolViolation(let section, let reason, _):
            .protocolViolation(section: section, reason: reason, context)
        case .bodyTooLarge(let limit, _): .bodyTooLarge(limit: limit, context)
        case .lineTooLong(let limit, _): .lineTooLong(limit: limit, context)
        case .uploadFailed(let reason, _): .uploadFailed(reason, context)
        case .fileFailed(let reason, _): .fileFailed(reason, context)
        case .bodyMisused(let reason, _): .bodyMisused(reason, context)
        case .webSocketRefused(let reason, _): .webSocketRefused(reason, context)
        case .webSocketClosed(let code, _): .webSocketClosed(code: code, context)
        case .messageTooLarge(let limit, _): .messageTooLarge(limit: limit, context)
        case .notCached: .notCached(context)
        case .validationFailed(let failure, _): .validationFailed(failure, context)
        case .decodingFailed(let failure, _): .decodingFailed(failure, context)
        case .digestFailed(let failure, _): .digestFailed(failure, context)
        case .interceptorFailed(let error, _): .interceptorFailed(error, context)
        }
    }
}
