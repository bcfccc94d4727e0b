// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernAuthentication
public import TernCacheStores
public import TernCaching
public import TernCompression
public import TernConnections
public import TernCookies
package import TernErrors
public import TernFoundation
import TernHTTP
public import TernProxies
public import TernRequests
public import TernRetry
public import TernStrictTransport
public import TernTransport
public import TernValidation

extension Client {
    /// The settings of a client.
    public struct Configuration: Sendable {
        /// The time limits of every call, which a request can override; see `Timeouts` for their defaults.
        public var timeouts = Timeouts()
        /// The maximum length of a response body that `data`, `upload`, `value` and `string` keep in memory, in bytes.
        ///
        /// Beyond it, the call throws `ClientError.bodyTooLarge`. Defaults to 256 MiB. `RequestOptions.maximumBodyByteCount`
        /// overrides it. Use `download` or `bytes` for larger bodies.
        public var maximumBodyByteCount = 256 << 20
        /// The validation rules for responses to requests without their own rules.
        ///
        /// With `nil`, `data` and `bytes` accept every status, and `value`, `values`, `string`, `events` and `send` require a
        /// successful one (2xx). With an empty list, all of them accept every status.
        public var validation: [ValidationRule]?
        /// The maximum number of bytes that an error keeps of a body that was rejected or could not be decoded; defaults to 64 KiB.
        ///
        /// Beyond it, the error says that the body is incomplete.
        public var maximumErrorBodyByteCount = 64 << 10
        /// The decoder of `value`, `values` and `events`, for calls that name no other; by default, it reads JSON.
        public var decoder: any BodyDecoder = JSONBodyDecoder()
        /// The URL against which the client resolves the relative URLs of requests; `nil` makes a relative URL an error.
        ///
        /// The client treats the base URL as a folder, with or without a slash at its end: the base `https://api.example.com/v1`
        /// and the URL `users/7` give `https://api.example.com/v1/users/7`. A URL that begins with one slash starts at the root of
        /// the host; with two slashes, it names another host, and is an error. The result has neither the query nor the fragment of
        /// the base.
        ///
        /// If the text of the base URL has both percent-encoded characters and characters that must be encoded, `URL(string:)`
        /// may encode the former twice. Then use the `url` of a `Request` made from the text.
        public var baseURL: URL?
        /// The maximum length of a line that `lines` returns, in bytes; defaults to 1 MiB.
        ///
        /// Beyond it, reading throws `ClientError.lineTooLong`.
        public var maximumLineByteCount = 1 << 20
        /// The fields that the client adds to the request of each call, unless the request, or a method such as `value`, sets them.
        public var defaultFields: HTTPFields = [.accept: "*/*", .userAgent: TernVersion.product]
        /// Whether the client asks for compressed content (`gzip`, `deflate` and ``contentCodecs``) and decompresses it.
        ///
        /// By default, it does neither for a request that sets `Accept-Encoding` or `Range` itself. `URLSession` has its own rules.
        public var decodesContent = true
        /// The content codings that the client accepts in addition to `gzip` and `deflate`.
        ///
        /// Defaults to none. `TernBrotli` and `TernZstandard` provide codecs, each of which needs a library that not every app has.
        public var contentCodecs: [ContentCodec] = []
        /// The limits on decompressed content, also of `download` and `bytes`; without effect over `URLSession`.
        ///
        /// By default, content beyond 1 MiB may be at most 100 times as long as its compressed form.
        public var inflationLimits = InflationLimits()
        /// Whether the client checks the content of responses against its digest (RFC 9530); `Request.digestChecking(_:)`
        /// overrides it.
        ///
        /// Defaults to `.off`, because hashing costs time. The client does not check a response from its cache again.
        public var digestChecking = DigestChecking.off
        /// The rules for following redirects, unless a request or a delegate has others: by default, at most 20, and none from
        /// `https` to `http`.
        public var redirects = RedirectPolicy.follow
        /// The retry policy for requests that do not set one.
        ///
        /// Defaults to `nil`, because only the application knows whether it prefers to wait or to see the error.
        public var retry: RetryPolicy?
        /// The store of the hosts that the client contacts over https only (RFC 6797).
        ///
        /// With a store, the client remembers hosts that demanded https over a trusted connection, and changes `http` to `https`
        /// for them, but not through a Unix-domain socket. Over `URLSession`, it adds no hosts. Defaults to `nil`, because such a
        /// store makes a call depend on earlier calls.
        public var strictTransport: (any StrictTransportStore)?
        /// The store that the client asks for credentials; it keeps successful answers to challenges with persistence `stored`.
        ///
        /// Defaults to a new `MemoryCredentialStore`, which all clients with copies of this configuration share. With `nil`, each
        /// client keeps these credentials in its own memory.
        public var credentialStore: (any CredentialStore)? = MemoryCredentialStore()
        /// The store for the cookies that servers set; with `nil`, the client keeps no cookies.
        ///
        /// Defaults to `nil`, because a cookie that the app does not expect may authenticate its requests. With a store, the
        /// requests of a call, including retries and redirects, send matching cookies, and their responses can set cookies.
        /// Requests through a Unix-domain socket do not use the store. `Request.cookies(_:)` overrides it.
        public var cookieStore: (any CookieStore)?
        /// The store for responses that the client may use again (RFC 9111); `nil` caches nothing.
        ///
        /// See `MemoryCacheStore` and `DiskCacheStore`. Clients for different users need separate stores.
        public var cache: (any CacheStore)?
        /// The cache policy of requests that do not set one; by default, the fields of request and response decide (RFC 9111).
        public var cachePolicy = CachePolicy.useProtocol
        /// The sources of bearer tokens, each of which names the servers that receive its token.
        public var bearer: [BearerAuthentication] = []
        /// The signer of requests, which the client calls after all interceptors.
        public var signer: (any RequestSigner)?
        /// The choice of the proxy for requests that do not set one with `Request.proxy(_:)`.
        ///
        /// By default, environment variables such as `https_proxy` decide, which the client reads when it is created; see
        /// `ProxySelection.environment`.
        public var proxy = ProxySelection.environment
        /// The versions of HTTP for requests that choose none with `Request.httpVersion(_:)`.
        ///
        /// With `.automatic`, the server chooses HTTP/2 or HTTP/1.1 over TLS, except for requests with `Upgrade`; without TLS, the
        /// client uses HTTP/1.1.
        public var httpVersion = HTTPVersionPolicy.automatic
        /// The settings for detecting a server that has become silent on a connection that uses HTTP/2 (RFC 9113 §6.7).
        ///
        /// Defaults to a PING after 30 seconds of silence, while calls are under way, and 15 seconds for the answer, so that a
        /// call whose connection was cut fails even without time limits. `nil` sends no such PING.
        public var http2KeepAlive: HTTP2KeepAlive? = HTTP2KeepAlive()
        /// The limits on the number of connections, and on the time for which the client keeps idle connections.
        public var pool = PoolConfiguration()
        /// Whether a task that waits for an answer may keep its thread busy for about 50 µs before it suspends, on Linux.
        ///
        /// Defaults to `true`: waking a thread often takes longer than the answer of a fast server. Set `false` where a short
        /// delay matters less than a thread that is free for other tasks.
        public var pollsForAnswers = true
        /// The TLS settings of connections; by default, the client trusts the root certificates of the system.
        public var tls = TLSConfiguration()
        /// The maximum length of each response head in bytes, 256 KiB by default; without effect over `URLSession`.
        ///
        /// Beyond it, the call throws `ClientError.protocolViolation`, or `proxyFailed` if a proxy answers CONNECT so. Over
        /// HTTP/2, the length is that of the decompressed fields, and each field counts 32 bytes more (RFC 9113 §6.5.2).
        public var maximumHeadByteCount: Int {
            get { self.headLimits.maximumByteCount }
            set { self.headLimits.maximumByteCount = newValue }
        }
        /// The maximum number of fields in the head, or in the trailers, of a response; without effect over `URLSession`.
        ///
        /// Beyond it, the call throws `ClientError.protocolViolation`, or `proxyFailed` if a proxy answers CONNECT so. Defaults to
        /// 1,000; a value above 65,534 has the effect of 65,534.
        public var maximumFieldCount: Int {
            get { self.headLimits.maximumFieldCount }
            set { self.headLimits.maximumFieldCount = newValue }
        }
        /// The length of a request body, in bytes, from which the client waits for `100 Continue` before it sends the body over
        /// HTTP/1.1.
        ///
        /// The client also waits if the length is unknown. Defaults to 1 MiB; without effect over `URLSession`. With `nil`, and
        /// over HTTP/2, the client waits only if `RequestOptions.expectsContinue`, which overrides this limit, is `true`.
        public var expectContinueThreshold: Int64? = 1 << 20
        /// The maximum time for which the client waits for `100 Continue`, 1 second by default.
        ///
        /// Beyond it, the client sends the body.
        public var expectContinueTimeout: Duration = .seconds(1)
        /// Interceptors that handle each call once, before all other stages; the first of them is called first.
        ///
        /// In a download or an upload that can be resumed, they handle each request of the transfer.
        public var callInterceptors: [any Interceptor] = []
        /// Interceptors that handle each attempt of a call on its way to the network, including retries and redirects.
        ///
        /// They run after most of the client's own stages, close to the network, and the first of them is called first. If the
        /// client sends a request again because its connection was closed, that is the same attempt.
        public var attemptInterceptors: [any Interceptor] = []
        /// Monitors that observe every call; the first of them receives each event first.
        public var monitors: [any EventMonitor] = []
        /// Whether the client measures every call, so that `Response.metrics` has a value.
        ///
        /// Defaults to `false`, because measuring costs time. The client always measures calls that have a delegate, and with
        /// ``monitors`` all calls. The metrics of a transfer that can be resumed reach only delegates and monitors.
        public var collectsMetrics = false

        /// Whether the client sends the user and the password of a proxy's URL only after a challenge, so that a proxy with Digest
        /// never sees the password; for `--proxy-anyauth`.
        package var awaitsProxyChallenges = false
        package var headLimits = HeadLimits()

        /// Creates the default settings.
        public init() {}

        /// Returns what chooses the proxies of the client's own transport.
        func makeRouter() -> Router {
            // Read the environment even if the configuration names a proxy: a single request may ask for the
            // environment's proxies.
            Router(self.proxy, environment: ProcessInfo.processInfo.environment)
        }

        func transport(_ router: Router, _ resources: StageResources) -> HTTPTransportConfiguration {
            HTTPTransportConfiguration(
                pool: self.pool,
                tls: self.tls,
                router: router,
                tunnelAuthorizer: ProxyTunnelAuthorizer(finder: resources.finder),
                limits: self.headLimits,
                http2: HTTP2Configuration(self.headLimits, keepAlive: self.http2KeepAlive),
                versions: self.httpVersion,
                expectContinueThreshold: self.expectContinueThreshold,
                expectContinueTimeout: self.expectContinueTimeout,
                transferDecoder: TransferDecoding(limits: self.inflationLimits).decode
            )
        }
    }
}

extension Client.Configuration {
    /// Resolves the URL of a request against ``baseURL`` as a folder (RFC 3986 §5.2), and leaves an absolute URL or a recorded
    /// problem unchanged.
    ///
    /// - Throws: `RequestFailure.missingScheme` for a reference with a host: a text that was meant as a path must not change the
    ///   host. `RequestFailure.malformedURL`, for example, for a base that is not a valid URL.
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
