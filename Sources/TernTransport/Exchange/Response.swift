// SPDX-License-Identifier: Apache-2.0

// TernValues is exported, so that `description` and similar members are found if only TernTransport is imported
// (MemberImportVisibility).
@_exported public import TernValues
public import HTTPTypes
import Synchronization
public import TernConnections
@_spi(CrossModuleInlining) package import TernFields

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The head of a final response: status, fields, and origin.
///
/// The ``fields`` are created when they are first asked for, because many callers only need the status.
public struct Response: Sendable {
    /// The facts about the arrival of the response; stages change them on the way back.
    private struct Arrival: Sendable {
        var isReused: Bool
        var tls: TLSFacts?
        var redirects: [Redirect]
        var cacheStatus: CacheStatus
        var source: (any MetricsSource)?
        /// `nil` if the response cannot have trailers.
        var trailers: Trailers?
    }

    private final class Storage: Sendable {
        let url: URL
        let head: Head
        let arrival: Arrival
        let fields: Mutex<HTTPFields?>

        init(_ url: URL, _ head: Head, _ arrival: Arrival) {
            self.url = url
            self.head = head
            self.arrival = arrival
            self.fields = Mutex(head.madeFields)
        }
    }

    private var storage: Storage

    private init(_ storage: Storage) { self.storage = storage }

    /// Creates a response that no server sent, such as that of an interceptor, a stub or a custom transport.
    ///
    /// ```swift
    /// let response = Response(url: call.request.url, status: .serviceUnavailable, fields: [.retryAfter: "120"])
    /// return HTTPReply(response: response, body: ResponseBody("The service is being updated."))
    /// ```
    ///
    /// The stages of the client treat the fields as if a server had sent them: the response of an attempt interceptor
    /// is decompressed if it has `Content-Encoding`, and stored if its fields allow it. `Content-Length` is not added.
    ///
    /// - Parameters:
    ///   - url: The URL that the response is for: that of the request.
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
    ///   - tls: The TLS parameters of the connection to the server. Defaults to `nil`, for a response without TLS.
    ///   - redirects: The redirects that were followed before. Defaults to none.
    ///   - cacheStatus: The use of the cache. Defaults to the network.
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
        var arrival = Arrival(isReused: isReused, tls: tls, redirects: redirects, cacheStatus: cacheStatus)
        arrival.trailers = trailers
        self.storage = Storage(url, head, arrival)
    }

    /// Returns the same response, after redirects.
    ///
    /// - Parameter redirects: The redirects that were followed, oldest first.
    /// - Returns: A changed copy.
    package func after(_ redirects: [Redirect]) -> Response { self.changed { $0.redirects = redirects } }

    /// Returns the same response, with metrics.
    ///
    /// - Parameter source: The source of the metrics.
    /// - Returns: A changed copy.
    package func measured(by source: any MetricsSource) -> Response { self.changed { $0.source = source } }

    private func changed(_ change: (inout Arrival) -> Void) -> Response {
        var arrival = self.storage.arrival
        change(&arrival)
        return Response(Storage(self.storage.url, self.storage.head, arrival))
    }

    private mutating func replaceHead(_ head: Head) {
        self.storage = Storage(self.storage.url, head, self.storage.arrival)
    }

    /// The origin of a response: the server or the cache.
    @nonexhaustive
    public enum CacheStatus: Hashable, Sendable {
        /// From the server.
        case network
        /// From the cache, fresh, without asking the server; `age` is that of RFC 9111 §4.2.3.
        case cached(age: Duration)
        /// From the cache, though no longer fresh, because the request, the policy or the server allowed it.
        case stale(age: Duration)
        /// From the cache, after the server said that it is current (304).
        case revalidated(age: Duration)
    }

    /// A redirect that was followed.
    public struct Redirect: Hashable, Sendable {
        /// The URL that was requested.
        public let url: URL
        /// The status of the redirect, such as 302.
        public let statusCode: Int

        /// Creates a redirect.
        package init(url: URL, statusCode: Int) {
            self.url = url
            self.statusCode = statusCode
        }
    }

    /// The URL that returned this response.
    public var url: URL { self.storage.url }
    /// The status, such as 200 OK; an interceptor may change it on the way back.
    public var status: HTTPResponse.Status {
        get { self.storage.head.status }
        set {
            self.replaceHead(Head(newValue, self.fields, self.storage.head.version))
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
    /// ``contentLength`` and `noticedFields` follow the new fields. The body does not change.
    public var fields: HTTPFields {
        get {
            self.storage.fields.withLock { fields in
                if let fields { return fields }
                let made = self.storage.head.makeHTTPFields()
                fields = made
                return made
            }
        }
        set { self.replaceHead(Head(self.status, newValue, self.storage.head.version)) }
    }
    /// The first value of a field, without creating all fields; `nil` if the field is missing.
    public subscript(_ name: HTTPField.Name) -> String? { self.storage.head[name] }
    /// The first value of a field, with its name as text: `response["X-Request-ID"]`.
    ///
    /// - Parameter name: The name, in any letter case.
    /// - Returns: The value; `nil` if there is no such field, or if the text is not a field name (RFC 9110 §5.1).
    public subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
    /// The fields that the client looks for and that are present.
    ///
    /// The decoder noted them, so that no search is necessary.
    package var noticedFields: NoticedFields { self.storage.head.noticedFields }
    /// The length of the body as announced by `Content-Length`, in bytes; `nil` if it was not announced.
    ///
    /// For compressed content (`Content-Encoding`) it is the compressed length.
    public var contentLength: Int64? { self.storage.head.contentLength }
    /// Whether the response came over a connection that had served a request before.
    package var isConnectionReused: Bool { self.storage.arrival.isReused }
    /// The negotiated TLS parameters: version, cipher suite, protocol, certificates; `nil` without TLS.
    public var tls: TLSFacts? { self.storage.arrival.tls }
    /// The metrics of the call as far as they are known: the response is delivered before its body.
    ///
    /// Read this property after the body was read to its end or released; then ``TaskMetrics/isComplete`` is `true`. It
    /// is `nil` if the call was not measured: a client measures calls that have a delegate, and all calls if its
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
    /// The redirects that led here, oldest first; empty if there were none.
    public var redirects: [Redirect] { self.storage.arrival.redirects }
    /// The status and the fields as a value of swift-http-types.
    package var httpResponse: HTTPResponse { HTTPResponse(status: self.status, headerFields: self.fields) }
}

extension Response: CustomStringConvertible, Described {
    /// The status only: fields may contain secrets.
    package var wording: String { "\(self.status)" }
}
