// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP1
import TernHTTP2
import TernRequests
import TernTransport

extension OutgoingRequest {
    /// Returns the head of the request for HTTP/2 (RFC 9113 §8.3.1).
    ///
    /// - Parameter call: The call.
    /// - Returns: The head. The core leaves out the fields that belong to a connection of HTTP/1.1.
    func http2Head(for call: HTTPCall) -> HTTP2RequestHead {
        var byteCount: Int64?
        if case .length(let length) = self.head.bodyFraming { byteCount = length }
        var head = HTTP2RequestHead(
            method: self.head.method,
            scheme: call.destination.origin.scheme.rawValue,
            authority: self.head.host,
            path: call.destination.target,  // even for a proxy that forwards the request
            fields: self.head.fields,
            bodyByteCount: byteCount,
            expectsContinue: self.head.expectsContinue
        )
        if self.offersUpgrade, call.asksForWebSocket { head.becomeExtendedConnect() }
        return head
    }
}

extension HTTP2RequestHead {
    /// Asks for a WebSocket with the extended CONNECT, in place of the `Upgrade` of HTTP/1.1 (RFC 8441 §5).
    ///
    /// "Implementations using this extended CONNECT to bootstrap WebSockets do not do the processing of the
    /// Sec-WebSocket-Key and Sec-WebSocket-Accept header fields of RFC6455" (RFC 8441 §5).
    fileprivate mutating func becomeExtendedConnect() {
        self.method = .connect
        self.protocolName = "websocket"
        self.fields[.secWebSocketKey] = nil
    }
}

extension HTTPCall {
    /// Returns the call's error for a stream that could not be opened.
    ///
    /// A connection that takes no more streams counts as lost, so that the request goes to another one.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - phase: The phase of the call, unless the request itself is invalid. Defaults to `.send`.
    /// - Returns: The error.
    func error(_ failure: HTTP2OpeningFailure, _ phase: ClientError.Phase = .send) -> ClientError {
        switch failure {
        case .connection(let error): self.error(error, phase)
        case .request(let error):
            switch error {
            case .invalidMethod: .invalidRequest(.malformedMethod, self.context(.prepare))
            case .invalidScheme, .invalidPath: .invalidRequest(.malformedTarget, self.context(.prepare))
            case .invalidAuthority: .invalidRequest(.malformedHost, self.context(.prepare))
            case .repeatedHost: .invalidRequest(.repeatedHost, self.context(.prepare))
            case .framingField:
                .invalidRequest(
                    .framingField(name: "Content-Length or Transfer-Encoding"),
                    self.context(.prepare)
                )
            case .invalidFieldName: .invalidRequest(.malformedFieldName, self.context(.prepare))
            case .negativeBodyLength:
                .invalidRequest(.bodyNotEncodable("its length is negative"), self.context(.prepare))
            case .fieldListTooLong(let limit):
                .invalidRequest(.fieldsTooLong(maximumByteCount: limit), self.context(.prepare))
            case .extendedConnectUnavailable:
                .webSocketRefused(
                    WebSocketFailure(
                        .handshake(
                            section: "RFC 8441 §3",
                            reason: "the server does not accept WebSockets over HTTP/2; use HTTP/1.1"
                        )
                    ),
                    self.context(phase)
                )
            case .tooManyStreams, .goingAway: .connectionLost(.closed, self.context(phase))
            }
        }
    }
}
