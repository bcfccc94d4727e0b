// SPDX-License-Identifier: Apache-2.0

// Exported, so that `description` and its like are found where only this module is imported (MemberImportVisibility).
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

/// The head of a final response: status and fields, and where it came from.
///
/// The full ``fields`` are made when they are first asked for, since many callers look at the status only.
public struct Response: Sendable {
    /// How the response came; stages change it on the way back.
    private struct Arrival: Sendable {
        var isReused: Bool
        var tls: TLSFacts?
        var redirects: [Redirect]
        var cacheStatus: CacheStatus
        var source: (any MetricsSource)?
        /// `nil` where none can come.
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

    /// Creates a response that no server sent, such as the answer of an interceptor, a stub or a transport of the
    /// application's own.
    ///
    /// ```swift
    /// let response = Response(url: call.request.url, status: .serviceUnavailable, fields: [.retryAfter: "120"])
    /// return HTTPReply(response: response, body: ResponseBody("The service is being updated."))
    /// ```
    ///
    /// The stages of the client read the fields as if a server had sent them: an attempt interceptor's answer is
    /// decompressed if it has `Content-Encoding`, and stored if its fields allow it. `Content-Length` is not added.
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
    ///   - url: The URL that was asked for.
    ///   - head: The head.
    ///   - isReused: Whether the connection had served a request before. Defaults to `false`.
    ///   - tls: The agreement with the server. Defaults to `nil`, for a response without TLS.
    ///   - redirects: The redirects that were followed before. Defaults to none.
    ///   - cacheStatus: Where the response came from. Defaults to the network.
    ///   - trailers: Holds the trailer section when it has come. Defaults to `nil`, for a response that cannot have one.
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

    /// The same response, after redirects.
    ///
    /// - Parameter redirects: those that were followed, oldest first.
    /// - Returns: a changed copy.
    package func after(_ redirects: [Redirect]) -> Response { self.changed { $0.redirects = redirects } }

    /// The same response, with metrics.
    ///
    /// - Parameter source: knows them.
    /// - Returns: a changed copy.
    package func measured(by source: any MetricsSource) -> Response { self.changed { $0.source = source } }

    private func changed(_ change: (inout Arrival) -> Void) -> Response {
        var arrival = self.storage.arrival
        change(&arrival)
        return Response(Storage(self.storage.url, self.storage.head, arrival))
    }

    private mutating func replaceHead(_ head: Head) {
        self.storage = Storage(self.storage.url, head, self.storage.arrival)
    }

    /// Where a response came from.
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
        /// The URL that was asked for.
        public let url: URL
        /// The status that was answered, such as 302.
        public let statusCode: Int

        /// Creates a redirect.
        package init(url: URL, statusCode: Int) {
            self.url = url
            self.statusCode = statusCode
        }
    }

    /// The URL that gave this response.
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
    /// The fields, in the order in which they came; an interceptor may change them on the way back.
    ///
    /// ```swift
    /// var reply = try await next.respond(to: call)
    /// reply.response.fields[.cacheControl] = "max-age=60"
    /// ```
    ///
    /// ``contentLength`` and `noticedFields` follow what is set. The body stays as it is.
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
    /// The first value of a field, without making all of them; `nil` if there is none.
    public subscript(_ name: HTTPField.Name) -> String? { self.storage.head[name] }
    /// The first value of a field by the text of its name: `response["X-Request-ID"]`.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The value. `nil` if there is no such field, or if the text is not the name of one (RFC 9110 §5.1).
    public subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
    /// Which of the fields that steer a client are there, known without a search.
    package var noticedFields: NoticedFields { self.storage.head.noticedFields }
    /// The length of the body as announced by `Content-Length`, in bytes; `nil` if it was not announced.
    ///
    /// Of content that was compressed for the way (`Content-Encoding`) it is the length as it was sent.
    public var contentLength: Int64? { self.storage.head.contentLength }
    /// Whether the response came over a connection that had served a request before.
    package var isConnectionReused: Bool { self.storage.arrival.isReused }
    /// What was agreed when TLS was established: version, cipher suite, protocol, certificates; `nil` without TLS.
    public var tls: TLSFacts? { self.storage.arrival.tls }
    /// How the time of the call was spent, as far as it is known at this moment: the response is given before its body.
    ///
    /// Ask when the body was read to its end or released; then ``TaskMetrics/isComplete`` is `true`. It is `nil` where
    /// nobody measured: a client measures calls that have a delegate, or where its configuration has monitors or asks
    /// for metrics.
    public var metrics: TaskMetrics? { self.storage.arrival.source?.metrics }
    /// Whether it came from the cache of the client.
    public var cacheStatus: CacheStatus { self.storage.arrival.cacheStatus }
    /// The version of HTTP that the server spoke; `nil` if this came from the cache, which spoke none.
    package var networkVersion: HTTPVersion? { self.cacheStatus == .network ? self.storage.head.version : nil }
    /// Holds the trailer section when it has come; `nil` where none can come.
    package var receivedTrailers: Trailers? { self.storage.arrival.trailers }
    /// The redirects that led here, oldest first; empty if there were none.
    public var redirects: [Redirect] { self.storage.arrival.redirects }
    /// Status and fields as a value of swift-http-types.
    package var httpResponse: HTTPResponse { HTTPResponse(status: self.status, headerFields: self.fields) }
}

extension Response: CustomStringConvertible, Described {
    /// Status only: fields may hold secrets.
    package var wording: String { "\(self.status)" }
}
