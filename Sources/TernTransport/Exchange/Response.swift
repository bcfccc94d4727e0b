// SPDX-License-Identifier: Apache-2.0

// Exports TernValues, so that a file that imports only TernTransport can use `description` and similar members
// (MemberImportVisibility).
@_exported public import TernValues
public import HTTPTypes
import Synchronization
public import TernConnections
@_spi(CrossModuleInlining) package import TernFields
public import TernFoundation

/// The head of a response: the status, the fields, and how the response was obtained.
public struct Response: Sendable {
    private struct Arrival: Sendable {
        var isReused: Bool
        var tls: TLSFacts?
        var redirects: [Redirect]
        var cacheStatus: CacheStatus
        var source: (any MetricsSource)?
        var trailers: Trailers?
        /// The codings that the body still has; `nil` if the client has decoded none.
        var remainingCodings: [String]?
        var hasDecodedTransfer = false

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

        func makeFields() -> HTTPFields {
            var fields = self.head.makeHTTPFields()
            if self.arrival.hasDecodedTransfer { fields = Response.fieldsAfterDecodingTransfer(fields) }
            guard let codings = self.arrival.remainingCodings else { return fields }
            return Response.fields(fields, afterDecodingTo: codings)
        }
    }

    private var storage: Storage

    private init(_ storage: Storage) { self.storage = storage }

    /// Creates the response of an interceptor, a stub or a custom transport.
    ///
    /// ```swift
    /// let response = Response(
    ///     url: call.request.url,
    ///     status: .serviceUnavailable,
    ///     fields: [.retryAfter: "120"]
    /// )
    /// let body = ResponseBody("The service is being updated.")
    /// return HTTPReply(response: response, body: body)
    /// ```
    ///
    /// If a transport, or an interceptor in `Client.Configuration.attemptInterceptors`, returns the response, the client may
    /// decompress a body with `Content-Encoding`, and its cache may store the response. This initializer does not add
    /// `Content-Length`.
    public init(url: URL, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.init(url: url, head: Head(status, fields))
    }

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

    package func after(_ redirects: [Redirect]) -> Response { self.changed { $0.redirects = redirects } }

    package func measured(by source: any MetricsSource) -> Response { self.changed { $0.source = source } }

    package func decoded(leaving codings: [String]) -> Response { self.changed { $0.remainingCodings = codings } }

    package func decodedTransfer() -> Response { self.changed { $0.hasDecodedTransfer = true } }

    private func changed(_ change: (inout Arrival) -> Void) -> Response {
        var arrival = self.storage.arrival
        change(&arrival)
        return Response(Storage(self.storage.url, self.storage.head, arrival))
    }

    private mutating func replaceHead(_ head: Head) {
        self.storage = Storage(self.storage.url, head, self.storage.arrival)
    }

    /// Whether a response came from the client's cache, and how the cache was used.
    @nonexhaustive
    public enum CacheStatus: Hashable, Sendable {
        /// Not the client's cache, but for example the server or an interceptor.
        case network
        /// The cache, without asking the server, because the response was fresh; `age` is its age (RFC 9111 §4.2.3).
        case cached(age: Duration)
        /// The cache: the response was not fresh or could not be confirmed, but the request, the policy or the server allowed it.
        case stale(age: Duration)
        /// The cache, after the server had confirmed the response with 304 (Not Modified).
        case revalidated(age: Duration)
    }

    /// A redirect that the client followed.
    public struct Redirect: Hashable, Sendable {
        /// The URL from which the server redirected the client, without user information.
        public let url: URL
        /// The status of the redirect, such as 302.
        public let statusCode: Int

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
    /// The fields, usually in the order in which they arrived; an interceptor may change them on the way back.
    ///
    /// They fit the body, so that a program may pass both on. If the client has decoded the content, `Content-Encoding` names only
    /// the codings that remain, and `Content-Length` and `Content-Digest` are missing. If it has decoded transfer codings,
    /// `Transfer-Encoding` names at most `chunked`. A change also updates ``contentLength``, but leaves the body as it is.
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
    /// The fields as they were before the client (not `URLSession`) decoded the body; after a change, those of ``fields``.
    public var receivedFields: HTTPFields {
        self.isDecoded ? self.storage.head.makeHTTPFields() : self.fields
    }
    /// The first value of a field, usually without creating all ``fields``; `nil` if the field is missing.
    public subscript(_ name: HTTPField.Name) -> String? {
        self.isDecoded ? self.fields[fields: name].first?.value : self.storage.head[name]
    }
    /// The first value of the field with this name, in any letter case; `nil` if the field is missing, or the name is not valid.
    public subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
    /// The received fields that the client acts on, as a set, which the decoder records so that no stage searches the fields.
    package var noticedFields: NoticedFields { self.storage.head.noticedFields }
    /// The length of the body in bytes, as announced by `Content-Length`; `nil` if none applies, as for a decoded body.
    ///
    /// For content that the client leaves compressed, this is the compressed length; for HEAD, the length of the body that the
    /// server did not send.
    public var contentLength: Int64? { self.isDecoded ? nil : self.storage.head.contentLength }
    private var isDecoded: Bool { self.storage.arrival.isDecoded }
    package var transferCodings: TransferCodings { self.storage.head.transferCodings }
    package var isConnectionReused: Bool { self.storage.arrival.isReused }
    /// The TLS parameters negotiated with the server; `nil` without TLS, from the cache, for a response that an interceptor made,
    /// and from a transport that reports none, as `URLSession` does unless only some calls would trust the server.
    public var tls: TLSFacts? { self.storage.arrival.tls }
    /// The metrics of the call, as far as they are known now.
    ///
    /// They are complete (``TaskMetrics/isComplete``) when the body has ended, has failed or was released. `nil` in an interceptor,
    /// in a `ResumedDownload` or `ResumedUpload`, and for a call that the client does not measure. It measures calls that have a
    /// delegate, and all calls if its configuration has monitors or asks for metrics.
    public var metrics: TaskMetrics? { self.storage.arrival.source?.metrics }
    /// Whether and how the client's cache was used.
    public var cacheStatus: CacheStatus { self.storage.arrival.cacheStatus }
    /// The version of HTTP with which the response came; `nil` from the cache, and HTTP/1.1 if no server sent the response, or if
    /// the transport does not report the version, as with `URLSession`.
    public var httpVersion: HTTPVersion? { self.cacheStatus == .network ? self.storage.head.version : nil }
    package var receivedTrailers: Trailers? { self.storage.arrival.trailers }
    /// The redirects that led to this response, oldest first; empty in an attempt interceptor.
    public var redirects: [Redirect] { self.storage.arrival.redirects }
    package var httpResponse: HTTPResponse { HTTPResponse(status: self.status, headerFields: self.fields) }
}

extension Response: CustomStringConvertible, Described {
    /// The status without the fields, because fields may contain secrets.
    package var wording: String { "\(self.status)" }
}
