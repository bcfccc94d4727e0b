// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
public import TernValues

/// The metrics of one exchange of a call: the time of each step, the bytes sent and received, and the connection.
///
/// Instants are relative to the call's start. A step that did not happen, or that the transport does not report, is `nil`. A step
/// that failed ends with the exchange.
public struct TransactionMetrics: Sendable {
    /// The reason why a request was sent.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable {
        /// The request is the first one of the call.
        case initial
        /// The previous response was a redirect (RFC 9110 §15.4).
        case redirect
        /// The previous response was a challenge (RFC 9110 §11).
        case authentication
        /// A stage made another attempt after a failure or an unacceptable response, or the call transfers the next of several
        /// parts.
        case retry
        /// The transport sent the request again, without a retry by a stage, as ``ExchangeMilestone/repeating`` describes.
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
    /// The instant at which the body had been read or was abandoned, or the exchange failed; `nil` while it is running.
    public var end: Duration?
    /// The wait for a connection or, with HTTP/2, for a stream.
    ///
    /// A call waits while the client may not open another connection to the host, another call opens one, or there is no network.
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
    /// The instant at which the exchange got a connection, and the client began to send the request.
    public var connected: Duration?
    /// The instant at which the head of the request was handed to the network.
    public var headSent: Duration?
    /// The instant at which the whole request was handed to the network; until its body is sent, it equals ``headSent``.
    public var requestSent: Duration?
    /// The instant at which the first byte of the response, or of the first interim response, arrived.
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
    /// `nil` for HTTP/1.1, before the stream is opened, and from a transport that reports none, as with `URLSession`.
    public var streamNumber: Int?
    /// The version of HTTP that the server used, such as `HTTP/1.1` (always with `URLSession`); `nil` if the server did not answer.
    public var protocolVersion: String?
    /// The status of the response; `nil` if there was none.
    public var statusCode: Int?
    /// The error that ended the exchange, before its response or within the response body; `nil` if there was none.
    ///
    /// If the client rejects a response, for example because the body is too large or cannot be decoded, only the call has an
    /// error.
    public var error: ClientError?

    private var concealedURL: Concealed<URL>

    package init(number: Int, reason: Reason, method: String, url: URL, start: Duration) {
        self.number = number
        self.reason = reason
        self.method = method
        self.concealedURL = Concealed(url)
        self.start = start
    }

    /// Whether the connection had served a request before; `nil` without ``connection``.
    public var isConnectionReused: Bool? { self.connection?.isReused }
    /// The duration of the exchange; `nil` while it is running.
    public var duration: Duration? { self.end.map { $0 - self.start } }
    /// The time from sending the head of the request to the first byte of the response; `nil` if no byte arrived.
    ///
    /// It includes the sending of the body, unless the server answers before the body's end. Always `nil` with `URLSession`.
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
        /// With `URLSession`, which usually decompresses bodies itself and reports no framing, this is the length that it reports.
        public var body: Int64 = 0
        /// The body without framing, in bytes, after decompression if the client decompresses the body.
        ///
        /// While the client decompresses it, this is a number of bytes so far, compressed or decompressed. Monitors may receive
        /// such a number at the end of an exchange. When a body was read to its end, the metrics of the call have the final number.
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
            /// The attempt is running.
            case pending
            /// The connection was established.
            case connected
            /// The attempt failed.
            case failed(ConnectionFailure)
            /// Another address was faster, or the client gave up.
            case abandoned
        }

        /// The address as `host:port`, with an IPv6 address in brackets, or the path of a Unix domain socket.
        public var address: String
        /// The time from the start to the end of the attempt, relative to the call's start.
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
