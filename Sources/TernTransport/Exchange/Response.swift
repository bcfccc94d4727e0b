// SPDX-License-Identifier: Apache-2.0

// Exports TernValues, so that a file that imports only TernTransport can use `description` and similar members
// (MemberImportVisibility).
@_exported public import TernValues
public import HTTPTypes
import Synchronization
public import TernConnections
@_spi(CrossModuleInlining) package import TernFields
public import TernFoundation

/// The head of a final response: the status, the fields, and how the response was obtained.
///
/// The ``fields`` are created at the first access, because many callers need only the status.
public struct Response: Sendable {
    /// The way in which the response was obtained.
    ///
    /// The client's stages add facts on the way back to the caller.
    private struct Arrival: Sendable {
        var isReused: Bool
        var tls: TLSFacts?
        var redirects: [Redirect]
        var cacheStatus: CacheStatus
        var source: (any MetricsSource)?
        /// Receives the trailer section; `nil` if the response cannot have one.
        var trailers: Trailers?
        /// The content codings that the body still has after the client has decoded others; `nil` if the client has
        /// decoded none.
        var remainingCodings: [String]?
        /// Whether the client has decoded transfer codings other than `chunked`.
        var hasDecodedTransfer = false

        /// Whether the body is not the received one, because the client has decoded it.
        var isDecoded: Bool { self.hasDecodedTransfer || self.remainingCodings != nil }
    }

    private final class Storage: Sendable {
        let url: URL
        let head: Head
        let arrival: Arrival
        let fields: Mutex<HTTPFields?>

        init(_ url: URL, _ head: Head, _ arrival: consuming Arrival) {
            self.url = url
            self.head = head
            self.arrival = arrival
            self.fields = Mutex(arrival.isDecoded ? nil : head.madeFields)
        }

        /// Returns the fields, with a string for each value.
        func makeFields() -> HTTPFields {
            var fields = self.head.makeHTTPFields()
            if self.arrival.hasDecodedTransfer { fields = Response.fieldsAfterDecodingTransfer(fields) }
            guard let codings = self.arrival.remainingCodings else { return fields }
            return Response.fields(fields, afterDecodingTo: codings)
        }
    }

    private var storage: Storage

    private init(_ storage: Storage) { self.storage = storage }

    /// Creates a response that no server sent, such as the response of an interceptor, a stub or a custom transport.
    ///
    /// ```swift
    /// let response = Response(url: call.request.url, status: .serviceUnavailable, fields: [.retryAfter: "120"])
    /// return HTTPReply(response: response, body: ResponseBody("The service is being updated."))
    /// ```
    ///
    /// The client treats the fields as if a server had sent them. If an interceptor in
    /// `Client.Configuration.attemptInterceptors` creates the response, the client decompresses a body with
    /// `Content-Encoding`, and stores the response in the cache if its fields allow that. This initializer does not add
    /// `Content-Length`.
    ///
    /// - Parameters:
    ///   - url: The URL of the request that the response answers.
    ///   - status: The status. Defaults to 200 (OK).
    ///   - fields: The fields. Defaults to none.
    public init(url: URL, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.init(url: url, head: Head(status, fields))
    }

    /// Creates a response from a head.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - head: The head.
    ///   - isReused: Whether the connection had served a request before. Defaults to `false`.
    ///   - tls: The TLS parameters of the connection to the server. Defaults to `nil`, for a connection without TLS.
    ///   - redirects: The redirects that led to this response, oldest first. Defaults to none.
    ///   - cacheStatus: Whether and how the cache was used. Defaults to `.network`.
    ///   - trailers: Holds the trailer section once it has arrived. Defaults to `nil`, for a response that cannot have
    ///     one.
    package init(
        url: URL,
        head: Head,
        isReused: Bool = false,
        tls: TLSFacts? = nil,
        redirects: [Redirect] = [],
        cacheStatus: CacheStatus = .network,
        trailers: Trailers? = nil
    ) {
        let arrival = Arrival(
            isReused: isReused,
            tls: tls,
            redirects: redirects,
            cacheStatus: cacheStatus,
            trailers: trailers
        )
        self.storage = Storage(url, head, arrival)
    }

    /// Returns a copy that lists the redirects that led to the response.
    ///
    /// - Parameter redirects: The redirects that were followed, oldest first.
    /// - Returns: A changed copy.
    package func after(_ redirects: [Redirect]) -> Response { self.changed { $0.redirects = redirects } }

    /// Returns a copy whose ``metrics`` come from a source.
    ///
    /// - Parameter source: The source of the metrics.
    /// - Returns: A changed copy.
    package func measured(by source: any MetricsSource) -> Response { self.changed { $0.source = source } }

    /// Returns a copy for a body from which the client has removed content codings.
    ///
    /// - Parameter codings: The codings that remain, in the order in which they were applied.
    /// - Returns: A changed copy, whose ``fields`` fit the decoded body.
    package func decoded(leaving codings: [String]) -> Response { self.changed { $0.remainingCodings = codings } }

    /// Returns a copy for a body from which the client has removed all transfer codings.
    ///
    /// - Returns: A changed copy, whose ``fields`` fit the decoded body.
    package func decodedTransfer() -> Response { self.changed { $0.hasDecodedTransfer = true } }

    private func changed(_ change: (inout Arrival) -> Void) -> Response {
        var arrival = self.storage.arrival
        change(&arrival)
        return Response(Storage(self.storage.url, self.storage.head, arrival))
    }

    private mutating func replaceHead(_ head: Head) {
        self.storage = Storage(self.storage.url, head, self.storage.arrival)
    }

    /// The source of a response: the server or the client's cache.
    @nonexhaustive
    public enum CacheStatus: Hashable, Sendable {
        /// The response came from the server.
        case network
        /// The response came from the cache. The client did not ask the server, because the response was fresh. `age`
        /// is the age of the response (RFC 9111 §4.2.3).
        case cached(age: Duration)
        /// The response came from the cache. It was no longer fresh, but the request, the cache policy or the server
        /// allowed its use.
        case stale(age: Duration)
        /// The response came from the cache, after the server had confirmed it with 304 (Not Modified).
        case revalidated(age: Duration)
    }

    /// A redirect that was followed.
    public struct Redirect: Hashable, Sendable {
        /// The URL from which the server redirected the client.
        public let url: URL
        /// The status of the redirect, such as 302.
        public let statusCode: Int

        /// Creates a redirect.
        package init(url: URL, statusCode: Int) {
            self.url = url
            self.statusCode = statusCode
        }
    }

    /// The URL of the request that this response answers; after redirects, the last URL.
    public var url: URL { self.storage.url }
    /// The status, such as 200 OK; an interceptor may change it on the way back.
    public var status: HTTPResponse.Status {
        get { self.storage.head.status }
        set {
            self.replaceHead(Head(newValue, self.receivedFields, self.storage.head.version))
        }
    }
    /// The status code, such as 200.
    public var statusCode: Int { self.storage.head.statusCode }
    /// Whether the status is 2xx.
    public var isSuccess: Bool { 200..<300 ~= self.statusCode }
    /// The fields, in the order in which they arrived; an interceptor may change them on the way back.
    ///
    /// ```swift
    /// var reply = try await next.respond(to: call)
    /// reply.response.fields[.cacheControl] = "max-age=60"
    /// ```
    ///
    /// A change also updates ``contentLength``, but leaves the body as it is.
    ///
    /// The fields fit the body of the response. If the client has decoded the body, `Content-Encoding` names only the
    /// codings that remain, and there is no `Content-Length` and no digest of the coded content. `Transfer-Encoding`
    /// names no codings that the client has decoded, except `chunked`. So a program may pass the fields on together with
    /// the body.
    public var fields: HTTPFields {
        get {
            self.storage.fields.withLock { fields in
                if let fields { return fields }
                let made = self.storage.makeFields()
                fields = made
                return made
            }
        }
        set {
            var arrival = self.storage.arrival
            // The new fields describe the body as it is.
            (arrival.remainingCodings, arrival.hasDecodedTransfer) = (nil, false)
            self.storage = Storage(self.storage.url, Head(self.status, newValue, self.storage.head.version), arrival)
        }
    }
    /// The fields as the server sent them, even if the client has decoded the body.
    package var receivedFields: HTTPFields {
        self.isDecoded ? self.storage.head.makeHTTPFields() : self.fields
    }
    /// The first value of a field, without creating all fields; `nil` if the field is missing.
    public subscript(_ name: HTTPField.Name) -> String? {
        self.isDecoded ? self.fields[fields: name].first?.value : self.storage.head[name]
    }
    /// The first value of a field whose name is given as text, as in `response["X-Request-ID"]`.
    ///
    /// - Parameter name: The name, in any letter case.
    /// - Returns: The value; `nil` if there is no such field, or if the text is not a field name (RFC 9110 §5.1).
    public subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
    /// The received fields of the response that the client acts on, such as `Location`, as a set.
    ///
    /// The decoder records them while it reads the head, so that no stage needs to search the fields. If the client has
    /// decoded the body, the set still contains `Content-Encoding`.
    package var noticedFields: NoticedFields { self.storage.head.noticedFields }
    /// The length of the body in bytes, as announced by `Content-Length`; `nil` if the head announces no length, or if
    /// the client has decoded the body.
    ///
    /// For compressed content that the client leaves as it is (`Content-Encoding`), this is the compressed length.
    public var contentLength: Int64? { self.isDecoded ? nil : self.storage.head.contentLength }
    /// Whether the client has decoded a coding of the body.
    private var isDecoded: Bool { self.storage.arrival.isDecoded }
    /// The transfer codings of the received body, apart from `chunked`.
    package var transferCodings: TransferCodings { self.storage.head.transferCodings }
    /// Whether the response came over a connection that had served a request before.
    package var isConnectionReused: Bool { self.storage.arrival.isReused }
    /// The negotiated TLS parameters: version, cipher suite, protocol, certificates; `nil` without TLS, and for a
    /// response from the cache.
    public var tls: TLSFacts? { self.storage.arrival.tls }
    /// The metrics of the call, as far as they are known now.
    ///
    /// A response may be delivered before its body. The metrics are complete, and ``TaskMetrics/isComplete`` is `true`,
    /// once the body was read to its end or released.
    ///
    /// `nil` if the client did not measure the call. A client measures calls that have a delegate, and all calls if its
    /// configuration has monitors or asks for metrics.
    public var metrics: TaskMetrics? { self.storage.arrival.source?.metrics }
    /// Whether and how the client's cache was used.
    public var cacheStatus: CacheStatus { self.storage.arrival.cacheStatus }
    /// The version of HTTP that the server used; `nil` if the response came from the cache.
    ///
    /// For a response that no server sent, such as that of an interceptor, it is HTTP/1.1.
    public var httpVersion: HTTPVersion? { self.cacheStatus == .network ? self.storage.head.version : nil }
    /// Holds the trailer section once it has arrived; `nil` if the response cannot have one.
    package var receivedTrailers: Trailers? { self.storage.arrival.trailers }
    /// The redirects that led to this response, oldest first; empty if there were none.
    public var redirects: [Redirect] { self.storage.arrival.redirects }
    /// The status and the fields as a value of swift-http-types.
    package var httpResponse: HTTPResponse { HTTPResponse(status: self.status, headerFields: self.fields) }
}

extension Response: CustomStringConvertible, Described {
    /// The status without the fields, because fields may contain secrets.
    package var wording: String { "\(self.status)" }
}
