// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernHTTP2
import TernTransport

enum HTTP2OpeningFailure: Error {
    case request(HTTP2RequestError)
    case connection(ConnectionError)
}

extension HTTPCall {
    /// Returns the call's error; a connection that takes no more streams counts as lost, so that another one gets the request.
    func error(_ failure: HTTP2OpeningFailure) -> ClientError {
        switch failure {
        case .connection(let error): self.error(error, .send)
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
                    self.context(.send)
                )
            case .tooManyStreams, .goingAway: .connectionLost(.closed, self.context(.send))
            }
        }
    }
}
