// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
public import TernValues

/// The metrics of one exchange of a call: the time of each step, the bytes sent and received, and the connection.
///
/// Instants are relative to ``TaskMetrics/startDate``. A step that did not happen, or that the transport does not report, is `nil`.
/// A step that failed usually ends with the exchange.
public struct TransactionMetrics: Sendable {
    /// The reason why a request was sent.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable {
        /// The request is the first one of the call.
        case initial
        /// The previous response was a redirect (RFC 9110 §15.4).
        case redirect
        /// The status of the previous response was 401 or 407 (RFC 9110 §11).
        case authentication
        /// The client had another reason, such as a failure, an unacceptable response, or the next of several parts.
        case retry
        /// The transport tried again to send the request, as ``ExchangeMilestone/repeating`` describes.
        case repetition
    }

    /// The number of the exchange within the call, from 1.
    public var number: Int
    /// The reason why the request was sent.
    public var reason: Reason
    /// The method, such as `GET`.
    public var method: String
    /// The URL of the request, without user and password; its query may still contain secrets.
    public var url: URL {
        get { self.concealedURL.value }
        set { self.concealedURL.value = newValue }
    }

    /// The instant at which the transport started the request.
    public var start: Duration
    /// The instant at which the response was read or abandoned, or the exchange failed, or else the call ended; `nil` before.
    public var end: Duration?
    /// The wait for a connection or, with HTTP/2, for a stream, as ``ExchangeMilestone/waiting`` describes.
    ///
    /// With `URLSession`, it ends when a part of the body was sent, or the response arrives.
    public var waiting: Range<Duration>?
    /// The look-up of the host name.
    public var resolution: Range<Duration>?
    /// The number of addresses of the host name; `nil` if the name was not looked up.
    package var addressCount: Int?
    /// The first 16 attempts to connect, oldest first; several may be needed if a host has several addresses (RFC 8305).
    public var connectAttempts: [ConnectAttempt] = []
    /// The connecting of the socket, including the look-up of the name.
    public var connecting: Range<Duration>?
    /// The TLS handshake with the proxy.
    public var proxyHandshake: Range<Duration>?
    /// The opening of the tunnel through the proxy.
    public var tunnelling: Range<Duration>?
    /// The TLS handshake with the server.
    public var handshake: Range<Duration>?
    /// The instant at which the exchange got a connection.
    public var connected: Duration?
    /// The instant at which the head of the request was handed to the network.
    public var headSent: Duration?
    /// The instant at which the whole request was handed to the network; until its body is sent, it equals ``headSent``.
    public var requestSent: Duration?
    /// The instant of ``ExchangeMilestone/firstByte``; over HTTP/2 and with `URLSession`, that of a whole head.
    public var firstByte: Duration?
    /// The instant at which the head of the final response had arrived.
    public var answered: Duration?

    /// The number of bytes sent.
    public var sent = ByteCounts()
    /// The number of bytes received.
    public var received = ByteCounts()
    /// The connection; `nil` if there was none, and from a transport that reports none, as with `URLSession`.
    public var connection: ExchangeConnection?
    /// The number of the exchange's stream on the connection (RFC 9113 §5.1.1).
    ///
    /// `nil` for HTTP/1.1, and until the transport reports the number; `URLSession` never does.
    public var streamNumber: Int?
    /// The version of HTTP that the server used, such as `HTTP/2`; with `URLSession`, always `HTTP/1.1`; `nil` if unknown.
    public var protocolVersion: String?
    /// The status of the response; `nil` if there was none.
    public var statusCode: Int?
    /// The error that ended the exchange, before or within its response, also if the transport then tried again; `nil` if there
    /// was none.
    ///
    /// If the client rejects a response, for example because the body is too large or cannot be decoded, usually only the call has
    /// an error.
    public var error: ClientError?

    private var concealedURL: Concealed<URL>

    package init(number: Int, reason: Reason, method: String, url: URL, start: Duration) {
        self.number = number
        self.reason = reason
        self.method = method
        self.concealedURL = Concealed(url)
        self.start = start
    }

    /// Whether another exchange got the connection before; `nil` without ``connection``.
    public var isConnectionReused: Bool? { self.connection?.isReused }
    /// The duration of the exchange; `nil` while it is running.
    public var duration: Duration? { self.end.map { $0 - self.start } }
    /// The time from ``headSent`` to ``firstByte``; `nil` if one of them is missing, as always with `URLSession`.
    public var timeToFirstByte: Duration? {
        guard let sent = self.headSent ?? self.connected, let firstByte = self.firstByte else { return nil }
        return firstByte - sent
    }
}

extension TransactionMetrics {
    /// The numbers of bytes in one direction.
    public struct ByteCounts: Hashable, Sendable {
        /// The head, in bytes: over HTTP/1.1 with the interim responses; over HTTP/2, received fields count decompressed.
        public var head: Int64 = 0
        /// The body on the wire, in bytes: compressed, with chunk framing, without HTTP/2's frame headers and TLS.
        ///
        /// The number is 0 before the end of the body. With `URLSession`, which usually decompresses bodies itself and reports no
        /// framing, it is the length that `URLSession` reports.
        public var body: Int64 = 0
        /// The body without framing, in bytes, after decompression if the client decompresses the body.
        ///
        /// The number is final at the end of a call that has sent or read the whole body. Otherwise, it may count compressed bytes,
        /// or bytes that the client is about to send.
        public var content: Int64 = 0

        package init(head: Int64 = 0, body: Int64 = 0, content: Int64 = 0) {
            self.head = head
            self.body = body
            self.content = content
        }
    }

    /// An attempt to connect to one address.
    public struct ConnectAttempt: Hashable, Sendable {
        /// The outcome of the attempt.
        @nonexhaustive
        public enum Outcome: Hashable, Sendable {
            /// No end of the attempt was reported yet.
            case pending
            /// The connection was established.
            case connected
            /// The attempt failed.
            case failed(ConnectionFailure)
            /// Another address was faster, the client gave up, or the exchange ended first.
            case abandoned
        }

        /// The address as `host:port`, with an IPv6 address in brackets, or the path of a Unix domain socket.
        public var address: String
        /// The time from the start of the attempt to its end or that of the exchange, relative to ``TaskMetrics/startDate``.
        public var interval: Range<Duration>
        /// The outcome.
        public var outcome: Outcome

        package init(address: String, interval: Range<Duration>, outcome: Outcome) {
            self.address = address
            self.interval = interval
            self.outcome = outcome
        }
    }
}

extension TransactionMetrics: CustomStringConvertible, Described {
    /// The number, method, status and reason, without the URL, which may contain secrets.
    package var wording: String {
        let status = self.statusCode.map { "\($0)" } ?? (self.end == nil ? "running" : "failed")
        return "\(self.number). \(self.method): \(status), \(self.reason.rawValue)"
    }
}
