// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One request and its response: how long each step took, how much was sent and received, and over which connection.
///
/// A call has one; after a redirect, a challenge or another try it has more. Instants are relative to the call's start.
/// A step that did not happen, or was not reached, is `nil`; one that failed ends with the transaction.
public struct TransactionMetrics: Sendable {
    /// Why a request was sent.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable {
        /// It is the call's first.
        case initial
        /// The response before it led elsewhere (RFC 9110 §15.4).
        case redirect
        /// The response before it was a challenge (RFC 9110 §11).
        case authentication
        /// The one before it failed, or its answer was not good enough, and a stage tried again.
        case retry
        /// The transport sent it again, over a new connection: the server had closed the one that it was sent over, or
        /// refused to say `100 Continue`.
        case repetition
    }

    /// A number, counting from 1, that no other transaction of the call has.
    public var number: Int
    /// Why the request was sent.
    public var reason: Reason
    /// The method, such as `GET`.
    public var method: String
    /// What was asked for, without user and password; its query may hold secrets all the same.
    public var url: URL {
        get { self.concealedURL.value }
        set { self.concealedURL.value = newValue }
    }

    /// When the transport took the request over.
    public var start: Duration
    /// When the body of the response was read or abandoned, or the transaction failed; `nil` while it goes on.
    public var end: Duration?
    /// How long it waited for a connection, because the host had as many as it may.
    public var waiting: Range<Duration>?
    /// How long the host name was looked up.
    public var resolution: Range<Duration>?
    /// How many addresses the host name has; `nil` if it was not looked up.
    package var addressCount: Int?
    /// The attempts to connect, oldest first; several where a host has several addresses (RFC 8305); at most 16.
    public var connectAttempts: [ConnectAttempt] = []
    /// How long it took to establish TCP, the look-up of the name included.
    public var connecting: Range<Duration>?
    /// How long it took to establish TLS with the proxy.
    public var proxyHandshake: Range<Duration>?
    /// How long the proxy took to make a tunnel.
    public var tunnelling: Range<Duration>?
    /// How long it took to establish TLS with the server.
    public var handshake: Range<Duration>?
    /// When it had its connection; the head of the request is sent then.
    public var connected: Duration?
    /// When the head of the request was handed to the network.
    public var headSent: Duration?
    /// When the whole request was handed to the network, with its body.
    public var requestSent: Duration?
    /// When the first byte of the response came.
    public var firstByte: Duration?
    /// When the head of the final response was here.
    public var answered: Duration?

    /// How much was sent.
    public var sent = ByteCounts()
    /// How much was received.
    public var received = ByteCounts()
    /// The connection; `nil` if there was none.
    public var connection: ExchangeConnection?
    /// The version of HTTP that the server spoke, such as `HTTP/1.1`; `nil` if it did not answer.
    public var protocolVersion: String?
    /// The status of the response; `nil` if none came.
    public var statusCode: Int?
    /// Why it failed, before its response or in the body of it; `nil` if it did not.
    ///
    /// A transaction may have a status and an error. What the client refuses, as a body that is too large or cannot be
    /// decoded, is an error of the call and none of the transaction.
    public var error: ClientError?

    private var concealedURL: Concealed<URL>

    /// Creates the metrics of a transaction that has just begun.
    ///
    /// - Parameters:
    ///   - number: which of the call's it is, from 1.
    ///   - reason: why the request is sent.
    ///   - method: its method.
    ///   - url: what is asked for.
    ///   - start: when, from the start of the call.
    package init(number: Int, reason: Reason, method: String, url: URL, start: Duration) {
        self.number = number
        self.reason = reason
        self.method = method
        self.concealedURL = Concealed(url)
        self.start = start
    }

    /// Whether the connection had served a request before; `nil` if there was none.
    public var isConnectionReused: Bool? { self.connection?.isReused }
    /// How long it took in all; `nil` while it goes on.
    public var duration: Duration? { self.end.map { $0 - self.start } }
    /// From the head of the request being sent to the first byte of the response; `nil` if none came.
    public var timeToFirstByte: Duration? {
        guard let sent = self.headSent ?? self.connected, let firstByte = self.firstByte else { return nil }
        return firstByte - sent
    }
}

extension TransactionMetrics {
    /// How much went in one direction.
    public struct ByteCounts: Hashable, Sendable {
        /// The head, in bytes; of a response with the interim ones.
        public var head: Int64 = 0
        /// The body as it was on the wire, in bytes: compressed, with the framing of chunks, without that of TLS.
        public var body: Int64 = 0
        /// The body without framing, and decompressed where the client did that, in bytes.
        ///
        /// A short body may come with its head, and the transaction be over before anything is decompressed: until then,
        /// and so in what monitors are told at the end of the transaction, it is counted compressed.
        public var content: Int64 = 0

        /// Creates counts; all are 0 by default.
        package init(head: Int64 = 0, body: Int64 = 0, content: Int64 = 0) {
            self.head = head
            self.body = body
            self.content = content
        }
    }

    /// An attempt to establish TCP to one address.
    public struct ConnectAttempt: Hashable, Sendable {
        /// What became of it.
        @nonexhaustive
        public enum Outcome: Hashable, Sendable {
            /// It goes on.
            case pending
            /// The connection was made.
            case connected
            /// It failed.
            case failed(ConnectionFailure)
            /// Another address was faster, or the call ended.
            case abandoned
        }

        /// `host:port`, with IPv6 addresses in brackets, or the path of a socket.
        public var address: String
        /// How long it took.
        public var interval: Range<Duration>
        /// What became of it.
        public var outcome: Outcome

        /// Creates an attempt.
        package init(address: String, interval: Range<Duration>, outcome: Outcome) {
            self.address = address
            self.interval = interval
            self.outcome = outcome
        }
    }
}

extension TransactionMetrics: CustomStringConvertible, Described {
    /// Number, method, status and reason, without what was asked for.
    package var wording: String {
        let status = self.statusCode.map { "\($0)" } ?? (self.end == nil ? "under way" : "failed")
        return "\(self.number). \(self.method): \(status), \(self.reason.rawValue)"
    }
}
