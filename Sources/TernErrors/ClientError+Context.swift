// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernValues

extension ClientError {
    /// The circumstances in which a call failed; safe to log, because its text contains no field values, bodies or URL queries.
    public struct Context: Sendable {
        /// The step of the call that failed.
        public var phase: Phase
        /// The scheme, host and port, such as `https://example.com:443`; empty if they are not known.
        public var origin: String
        /// The number of the attempt, counting from 1; also 1 if it is not known.
        public var attempt: Int
        /// The time from the start of the call, or from the opening of the WebSocket, to the failure; zero if it is not known.
        public var elapsed: Duration
        /// Whether the server may have received or acted on this attempt's request.
        public var delivery: Delivery
        /// The head of the response, usually set if it has arrived; a context's text and `dump` show only its status.
        public var response: HTTPResponse? {
            get { self.concealedResponse.value }
            set { self.concealedResponse.value = newValue }
        }

        private var concealedResponse: Concealed<HTTPResponse?>

        /// The number of the call's first attempt, or of a later one if no server can have acted on any attempt before it.
        package var firstAttempt = 1
        /// Whether no server or proxy has answered, and no server can have acted on, an earlier attempt.
        package var isFirst: Bool { self.attempt <= self.firstAttempt }
        /// Whether the request followed a redirect to `GET`, so that the server may have acted on the call's own request.
        package var followsAnsweredRequest = false

        /// Whether the server cannot have acted on the request; a response is then that of a proxy that did not pass it on.
        package var isUndelivered: Bool {
            // 407 "indicates that the client needs to authenticate itself in order to use a proxy for this request" (RFC 9110
            // §15.5.8).
            self.delivery != .unknown || self.response?.status.code == 407
        }

        /// Creates a context; with the delivery ``ClientError/Delivery/unknown``, a retry policy repeats only idempotent requests.
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

    /// Whether the server may have received or acted on a failed request (RFC 9110 §9.2.2).
    @nonexhaustive
    public enum Delivery: Hashable, Sendable {
        /// No part of the request reached the network, as far as the client knows.
        case notSent
        /// The server reports that it did not act on the request.
        case refused
        /// The server may or may not have acted on the request; also used where the error's case says that nothing was sent.
        case unknown
    }

    /// A step of a call, roughly in the order in which the steps happen.
    @nonexhaustive
    public enum Phase: String, Hashable, Sendable {
        /// The client prepares the request: for example, it opens files, or asks its stores of responses and cookies.
        case prepare
        /// The client waits for a free connection, for one that another call opens, or for the response to the same request of
        /// another call.
        case wait
        /// The look-up of the host name; Tern's own transports report ``connect`` or ``proxy`` instead.
        case resolve
        /// The client looks up the host name and connects to the server; `URLSession` may connect to a proxy instead.
        case connect
        /// The client connects to a proxy, checks its certificate, or asks it for a connection to the server.
        case proxy
        /// The client and the server negotiate TLS, or a delegate judges the server of an open connection.
        case tls
        /// The client sends the head of the request, reads or sends its body, or asks for a new body.
        case send
        /// The client waits for the head of the response, perhaps while it still sends the body, or stores the response's cookies.
        case head
        /// The client reads the body of the response, and may store it in the cache.
        case body
        /// The client authenticates itself or the server (RFC 9110 §11): for example, it gets a token, or answers a challenge.
        case authenticate
        /// The client handles a redirect (RFC 9110 §15.4).
        case redirect
        /// The client waits before another attempt.
        case retry
        /// The client checks or writes the file of a download, or checks the responses of a resumed one.
        case store
        /// The client and the server exchange messages over an open WebSocket.
        case messages
        /// The client checks the response against the validation rules.
        case validate
        /// The client decodes the body, or a part of it, as a value.
        case decode
    }

    /// The context of the failure, which every case carries.
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
                .digestFailed(_, let context), .valueTooLong(_, _, let context),
                .interceptorFailed(_, let context), .notCached(let context):
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
        case .valueTooLong(let limit, let position, _): .valueTooLong(limit: limit, at: position, context)
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
