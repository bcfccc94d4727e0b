// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
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
            steering: self.head.steering,
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
