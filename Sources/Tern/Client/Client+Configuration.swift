// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernAuthentication
public import TernCacheStores
public import TernCaching
public import TernCompression
public import TernConnections
public import TernCookies
package import TernErrors
import TernHTTP
package import TernHTTP1
public import TernProxies
public import TernRequests
public import TernRetry
public import TernStrictTransport
public import TernTransport
public import TernValidation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// The settings of a client.
    public struct Configuration: Sendable {
        /// The time limits of every call, which a request can override.
        public var timeouts = Timeouts()
        /// The maximum length of a body that `data` and `upload` keep in memory, in bytes.
        ///
        /// Defaults to 256 MiB. A longer body throws `ClientError.bodyTooLarge`, so no server can fill the memory. Use
        /// `download` or `bytes` for larger bodies: they hold only a few buffers, whatever the length.
        public var maximumBodyByteCount = 256 << 20
        /// The validation rules for responses to requests without their own rules.
        ///
        /// Defaults to `nil`. Then `value` and `send` still require a successful status (2xx). An empty list makes them
        /// accept every response.
        public var validation: [ValidationRule]?
        /// The maximum length of a rejected or undecodable body that an error keeps, in bytes.
        ///
        /// Defaults to 64 KiB: enough for a service's description of a problem, and not too much for a log of many
        /// errors.
        public var maximumErrorBodyByteCount = 64 << 10
        /// Decodes the bodies for `value`.
        ///
        /// Defaults to JSON.
        public var decoder: any BodyDecoder = JSONBodyDecoder()
        /// The URL that relative request URLs are resolved against.
        ///
        /// Defaults to `nil`: a relative URL is an error. See `Client.Configuration.resolve(_:)` for the rules.
        /// `URL(string:)` may encode escapes twice. If the text has both escapes and characters that must be encoded,
        /// use the `url` of a `Request` made from the text instead.
        public var baseURL: URL?
        /// The maximum length of a line that `lines` returns, in bytes.
        ///
        /// Defaults to 1 MiB.
        public var maximumLineByteCount = 1 << 20
        /// The fields that every request gets unless it sets them itself.
        ///
        /// Defaults to `Accept` and `User-Agent`.
        public var defaultFields: HTTPFields = [.accept: "*/*", .userAgent: "tern/0.1"]
        /// Whether the client asks for compressed content (`gzip` and `deflate`) and decompresses it.
        ///
        /// Defaults to `true`.
        public var decodesContent = true
        /// The limits on decompressed content; see `InflationLimits` for the defaults.
        ///
        /// They also apply to `download` and `bytes`, in addition to the limit on bodies in memory.
        public var inflationLimits = InflationLimits()
        /// Whether the client checks the content of responses against its digest (RFC 9530).
        ///
        /// Defaults to `.off`, because hashing costs time. A request overrides this with `Request.digestChecking(_:)`.
        /// Cached content was checked when it was stored, if the call that stored it asked for the check.
        public var digestChecking = DigestChecking.off
        /// The redirects that the client follows.
        ///
        /// Defaults to at most 20 for each call, and none from `https` to `http`.
        public var redirects = RedirectPolicy.follow
        /// The policy for retrying failed calls.
        ///
        /// Defaults to `nil`, no retries, because only the application knows whether it prefers to wait or to see the
        /// error. A request can have its own policy.
        public var retry: RetryPolicy?
        /// Stores the hosts that the client contacts over https only (RFC 6797).
        ///
        /// Defaults to `nil`, because such a store makes a call depend on earlier ones. With a store, `http` becomes
        /// `https` for the hosts that asked for it, before the client connects.
        public var strictTransport: (any StrictTransportStore)?
        /// Stores credentials across calls.
        ///
        /// Defaults to a store in memory. With `nil`, the client stores none.
        public var credentialStore: (any CredentialStore)? = MemoryCredentialStore()
        /// Stores the cookies that servers set.
        ///
        /// Defaults to `nil`: the client neither sends nor keeps cookies. An app that calls an API with a token needs
        /// no cookies, and an unexpected cookie may authenticate requests. With a store, every attempt of a call,
        /// redirects included, sends its cookies, and every response may set some.
        public var cookieStore: (any CookieStore)?
        /// Stores responses for reuse (RFC 9111).
        ///
        /// Defaults to `nil`: the client caches nothing. See `MemoryCacheStore` and `DiskCacheStore`. Clients for
        /// different users need separate stores.
        public var cache: (any CacheStore)?
        /// The cache policy of requests that do not set one.
        ///
        /// Defaults to the rules of HTTP.
        public var cachePolicy = CachePolicy.useProtocol
        /// The sources of bearer tokens, each for its own servers.
        ///
        /// Defaults to an empty list.
        public var bearer: [BearerAuthentication] = []
        /// Signs each request just before it is sent.
        ///
        /// Defaults to `nil`.
        public var signer: (any RequestSigner)?
        /// The proxy for each request.
        ///
        /// Defaults to `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment. The environment is
        /// read when the client is created.
        public var proxy = ProxySelection.environment
        /// The versions of HTTP for requests that choose none.
        ///
        /// Defaults to `.automatic`: over TLS the server chooses HTTP/2 or HTTP/1.1, and without TLS the client uses
        /// HTTP/1.1. `Request.httpVersion(_:)` overrides this for one request.
        public var httpVersion = HTTPVersionPolicy.automatic
        /// The number of connections that the client keeps, and for how long.
        public var pool = PoolConfiguration()
        /// The TLS settings of all connections.
        public var tls = TLSConfiguration()
        /// The maximum length of a response head, in bytes.
        ///
        /// Each interim head counts separately. Defaults to 256 KiB, like Chrome. A longer head throws
        /// `ClientError.protocolViolation`.
        public var maximumHeadByteCount: Int {
            get { self.headLimits.maximumHeadByteCount }
            set { self.headLimits.maximumHeadByteCount = newValue }
        }
        /// The maximum number of fields in the head, or in the trailer section, of a response.
        ///
        /// Defaults to 1,000; at most 65,534, as in `HTTPFields`. More fields throw `ClientError.protocolViolation`.
        public var maximumFieldCount: Int {
            get { self.headLimits.maximumFieldCount }
            set { self.headLimits.maximumFieldCount = newValue }
        }
        /// The body length, in bytes, from which the client waits for `100 Continue`.
        ///
        /// Defaults to 1 MiB, like curl. With `nil`, the client never waits.
        public var expectContinueThreshold: Int64? = 1 << 20
        /// The time to wait for `100 Continue` before sending the body anyway.
        ///
        /// Defaults to 1 second, like curl.
        public var expectContinueTimeout: Duration = .seconds(1)
        /// Interceptors that see each call once, in this order.
        ///
        /// Defaults to an empty list.
        public var callInterceptors: [any Interceptor] = []
        /// Interceptors that see each attempt of a call, closest to the network.
        ///
        /// Defaults to an empty list.
        public var attemptInterceptors: [any Interceptor] = []
        /// Monitors that observe every call, in this order.
        ///
        /// Defaults to an empty list.
        public var monitors: [any EventMonitor] = []
        /// Whether the client measures every call, so that `Response.metrics` has a value.
        ///
        /// Defaults to `false`, because measuring costs some allocations and clock readings for each call. Calls with a
        /// delegate, and calls of a client with a delegate or ``monitors``, are always measured.
        public var collectsMetrics = false

        /// The limits on response heads and on the framing of bodies.
        package var headLimits = HTTP1Limits()

        /// Creates the default settings.
        public init() {}

        func transport(_ resources: StageResources) -> HTTPTransportConfiguration {
            HTTPTransportConfiguration(
                pool: self.pool,
                tls: self.tls,
                router: resources.router,
                tunnelAuthorizer: ProxyTunnelAuthorizer(finder: resources.finder),
                limits: self.headLimits,
                http2: HTTP2Configuration(self.headLimits),
                versions: self.httpVersion,
                expectContinueThreshold: self.expectContinueThreshold,
                expectContinueTimeout: self.expectContinueTimeout
            )
        }
    }
}

extension Client.Configuration {
    /// Resolves the URL of a request against ``baseURL`` (RFC 3986 §5.2), as every call of the client does.
    ///
    /// ```swift
    /// configuration.baseURL = URL(string: "https://api.example.com/v1")
    /// let request = Request(.get, "users/7")  // https://api.example.com/v1/users/7
    /// ```
    ///
    /// The base URL is treated as a folder, with or without a slash at its end. Under the rules of the RFC, `users/7`
    /// would replace the `v1` above. A reference that begins with a slash, `/users/7`, starts at the root of the host,
    /// and `..` goes up a folder. The query and the fragment of the base are not used.
    ///
    /// - Parameter request: Any request. One with an absolute URL, or with a recorded `problem`, is returned unchanged.
    /// - Returns: The request, with an absolute URL if there is a base.
    /// - Throws: `RequestFailure.missingScheme` for a reference with a host, `//example.com/`, because a URL composed
    ///   of parts must not change the host unnoticed. `RequestFailure.malformedURL` for a base that is not a valid URL.
    package func resolve(_ request: Request) throws(RequestFailure) -> Request {
        // Leave a request with a recorded problem unchanged: assigning the URL would clear the problem, and
        // `delete("users").path("..")` must not reach the list of users.
        guard let base = self.baseURL, request.problem == nil, request.url.scheme == nil else { return request }
        let reference = request.url.relativeString
        guard !reference.hasPrefix("//") else { throw .missingScheme }
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { throw .malformedURL }
        parts.percentEncodedQuery = nil
        parts.percentEncodedFragment = nil
        if !parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath += "/" }
        guard let folder = parts.url else { throw .malformedURL }
        var resolved = request
        resolved.url = try URLReference(reference).url(relativeTo: folder).absoluteURL
        return resolved
    }
}
