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
        /// The time limits of every call, which a request can override.
        ///
        /// By default, a call has 10 seconds to connect, 60 seconds from the end of the request to the end of the
        /// response's head, and 60 seconds for a pause in the transfer.
        public var timeouts = Timeouts()
        /// The maximum length of a response body that `data`, `upload`, `value` and `string` keep in memory, in bytes.
        ///
        /// Defaults to 256 MiB. A longer body throws `ClientError.bodyTooLarge`, so no server can fill the memory. Use
        /// `download` or `bytes` for larger bodies: they hold only a few buffers, whatever the length.
        public var maximumBodyByteCount = 256 << 20
        /// The validation rules for responses to requests without their own rules.
        ///
        /// Defaults to `nil`: `data` accepts every response, and `value`, `string` and `send` require a successful
        /// status (2xx). With an empty list, these three accept every response, too.
        public var validation: [ValidationRule]?
        /// The maximum number of bytes that an error keeps of a body that was rejected or could not be decoded.
        ///
        /// Defaults to 64 KiB: enough for a service's description of a problem, and so short that many errors fit in
        /// memory.
        public var maximumErrorBodyByteCount = 64 << 10
        /// The decoder that `value` uses for bodies.
        ///
        /// Defaults to a ``JSONBodyDecoder``.
        public var decoder: any BodyDecoder = JSONBodyDecoder()
        /// The URL against which the client resolves the relative URLs of requests.
        ///
        /// Defaults to `nil`: a relative URL is an error. The client treats the base URL as a folder, with or without a
        /// slash at its end: the base `https://api.example.com/v1` and the URL `users/7` give
        /// `https://api.example.com/v1/users/7`. A URL that begins with a slash starts at the root of the host.
        ///
        /// If the text of the base URL has both percent-encoded characters and characters that must be encoded,
        /// `URL(string:)` may encode the former twice. Then use the `url` of a `Request` made from the text.
        public var baseURL: URL?
        /// The maximum length of a line that `lines` returns, in bytes.
        ///
        /// Defaults to 1 MiB.
        public var maximumLineByteCount = 1 << 20
        /// The fields that every request gets unless it sets them itself.
        ///
        /// Defaults to `Accept` and `User-Agent`.
        public var defaultFields: HTTPFields = [.accept: "*/*", .userAgent: "tern/0.1"]
        /// Whether the client asks for compressed content (`gzip`, `deflate` and ``contentCodecs``) and decompresses it.
        ///
        /// Defaults to `true`.
        public var decodesContent = true
        /// The content codings that the client asks for and decompresses in addition to `gzip` and `deflate`.
        ///
        /// The products `TernBrotli` and `TernZstandard` each have one. Defaults to none, because each needs a library
        /// that not every app has.
        public var contentCodecs: [ContentCodec] = []
        /// The limits on decompressed content.
        ///
        /// By default, content beyond 1 MiB may be at most 100 times as long as its compressed form. The limits also
        /// apply to `download` and `bytes`. For `data`, they apply in addition to ``maximumBodyByteCount``.
        public var inflationLimits = InflationLimits()
        /// Whether the client checks the content of responses against its digest (RFC 9530).
        ///
        /// Defaults to `.off`, because hashing costs time. A request overrides this with `Request.digestChecking(_:)`.
        /// The client does not check a response from its cache. Such a response was checked when it was stored, if the
        /// call that stored it checked digests.
        public var digestChecking = DigestChecking.off
        /// The redirects that the client follows.
        ///
        /// Defaults to at most 20 for each call, and none from `https` to `http`.
        public var redirects = RedirectPolicy.follow
        /// The policy for retries.
        ///
        /// Defaults to `nil`: the client does not retry, because only the application knows whether it prefers to wait
        /// or to see the error. A request can have its own policy.
        public var retry: RetryPolicy?
        /// The store of the hosts that the client contacts over https only (RFC 6797).
        ///
        /// Defaults to `nil`, because such a store makes a call depend on earlier calls. With a store, the client
        /// remembers the hosts that demanded https, and changes `http` to `https` for them before it connects.
        public var strictTransport: (any StrictTransportStore)?
        /// The store that the client asks for credentials, and that keeps those whose persistence is `stored`.
        ///
        /// Defaults to a new `MemoryCredentialStore`, which all clients with copies of this configuration share. With
        /// `nil`, each client keeps these credentials for itself, until the client is deallocated.
        public var credentialStore: (any CredentialStore)? = MemoryCredentialStore()
        /// The store for the cookies that servers set.
        ///
        /// Defaults to `nil`: the client neither sends nor keeps cookies. An app that calls an API with a token needs
        /// no cookies, and a cookie that the app does not expect may authenticate its requests. With a store, every
        /// request of a call sends the matching cookies of the store, including retries and redirects, and every
        /// response may set cookies.
        public var cookieStore: (any CookieStore)?
        /// The store for responses that the client may use again (RFC 9111).
        ///
        /// Defaults to `nil`: the client caches nothing. See `MemoryCacheStore` and `DiskCacheStore`. Clients for
        /// different users need separate stores.
        public var cache: (any CacheStore)?
        /// The cache policy of requests that do not set one.
        ///
        /// Defaults to `.useProtocol`: the fields of the request and the response decide (RFC 9111).
        public var cachePolicy = CachePolicy.useProtocol
        /// The sources of bearer tokens.
        ///
        /// Each source names the servers that receive its token.
        ///
        /// Defaults to an empty list.
        public var bearer: [BearerAuthentication] = []
        /// The signer that signs each request just before the client sends it.
        ///
        /// Defaults to `nil`.
        public var signer: (any RequestSigner)?
        /// The proxy for each request.
        ///
        /// Defaults to `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment, which the client
        /// reads when it is created.
        public var proxy = ProxySelection.environment
        /// The versions of HTTP for requests that choose none.
        ///
        /// Defaults to `.automatic`: over TLS the server chooses HTTP/2 or HTTP/1.1, and without TLS the client uses
        /// HTTP/1.1. `Request.httpVersion(_:)` overrides this for one request.
        public var httpVersion = HTTPVersionPolicy.automatic
        /// The settings for detecting a server that has become silent on a connection that uses HTTP/2 (RFC 9113 §6.7).
        ///
        /// Defaults to a PING after 30 seconds of silence, while calls are under way, and 15 seconds for the answer.
        /// So a call whose connection was cut without notice fails even if it has no time limits. With `nil`, the
        /// client sends no PING for this purpose.
        public var http2KeepAlive: HTTP2KeepAlive? = HTTP2KeepAlive()
        /// The limits on the number of connections, and on the time for which the client keeps idle connections.
        public var pool = PoolConfiguration()
        /// Whether a task that waits for an answer may keep its thread busy for up to 50 µs before it suspends.
        ///
        /// Defaults to `true`: suspending a task and waking a thread for it often takes longer than the answer of a fast
        /// server. The client does this only on Linux, only while answers come that quickly, and only while fewer tasks
        /// than processors wait for answers. Set `false` where a short delay matters less than a
        /// thread that is free for other tasks.
        public var pollsForAnswers = true
        /// The TLS settings of all connections.
        ///
        /// By default, the client trusts the root certificates of the system.
        public var tls = TLSConfiguration()
        /// The maximum length of a response head, in bytes.
        ///
        /// The limit applies separately to each interim response. Defaults to 256 KiB, like Chrome. A longer head
        /// throws `ClientError.protocolViolation`.
        public var maximumHeadByteCount: Int {
            get { self.headLimits.maximumByteCount }
            set { self.headLimits.maximumByteCount = newValue }
        }
        /// The maximum number of fields in the head, or in the trailer section, of a response.
        ///
        /// Defaults to 1,000, and can be at most 65,534, the limit of `HTTPFields`. A response with more fields throws
        /// `ClientError.protocolViolation`.
        public var maximumFieldCount: Int {
            get { self.headLimits.maximumFieldCount }
            set { self.headLimits.maximumFieldCount = newValue }
        }
        /// The length of a request body, in bytes, from which the client waits for `100 Continue` before it sends the
        /// body over HTTP/1.1.
        ///
        /// The client also waits if the length is unknown. Defaults to 1 MiB, like curl. With `nil`, and over HTTP/2,
        /// the client waits only if the request asks for it (`RequestOptions.expectsContinue`). Over HTTP/2, many
        /// servers do not send `100 Continue`, and a server can refuse a body without receiving it.
        public var expectContinueThreshold: Int64? = 1 << 20
        /// The time to wait for `100 Continue` before sending the body anyway.
        ///
        /// Defaults to 1 second, like curl.
        public var expectContinueTimeout: Duration = .seconds(1)
        /// Interceptors that handle each call once, before all other stages.
        ///
        /// The first of them is called first. In a download or an upload that continues after an interruption, they
        /// handle each of its requests.
        ///
        /// Defaults to an empty list.
        public var callInterceptors: [any Interceptor] = []
        /// Interceptors that handle each request that is sent, including retries and redirects.
        ///
        /// They run after most of the client's own stages, close to the network, and the first of them is called first.
        ///
        /// Defaults to an empty list.
        public var attemptInterceptors: [any Interceptor] = []
        /// Monitors that observe every call.
        ///
        /// The first of them receives each event first.
        ///
        /// Defaults to an empty list.
        public var monitors: [any EventMonitor] = []
        /// Whether the client measures every call, so that `Response.metrics` has a value.
        ///
        /// Defaults to `false`, because measuring costs some allocations and clock readings for each call. The client
        /// always measures a call that has a delegate. If the client itself has a delegate or ``monitors``, it measures
        /// all calls.
        public var collectsMetrics = false

        /// Whether the client waits for the proxy's challenge before it uses the user and the password of a proxy's URL.
        ///
        /// Defaults to `false`: the client sends them with Basic in the first request, as curl, Go and AsyncHTTPClient do.
        /// `tern-cli` sets this for `--proxy-anyauth`, so that a proxy with Digest never sees the password.
        package var awaitsProxyChallenges = false
        /// The limits on response heads.
        package var headLimits = HeadLimits()

        /// Creates the default settings.
        public init() {}

        func transport(_ resources: StageResources) -> HTTPTransportConfiguration {
            HTTPTransportConfiguration(
                pool: self.pool,
                tls: self.tls,
                router: resources.router,
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
    /// Resolves the URL of a request against ``baseURL`` (RFC 3986 §5.2).
    ///
    /// Every call of the client does this first.
    ///
    /// ```swift
    /// configuration.baseURL = URL(string: "https://api.example.com/v1")
    /// let request = Request(.get, "users/7")  // https://api.example.com/v1/users/7
    /// ```
    ///
    /// The base URL is treated as a folder, with or without a slash at its end. Under the rules of the RFC, `users/7`
    /// would replace the `v1` above. A reference that begins with a slash, `/users/7`, starts at the root of the host,
    /// and `..` goes up a folder. The result does not include the base's query and fragment.
    ///
    /// - Parameter request: Any request. If it has an absolute URL or a recorded `problem`, it is returned unchanged.
    /// - Returns: The request, with an absolute URL if ``baseURL`` is set.
    /// - Throws: `RequestFailure.missingScheme` for a reference with a host, `//example.com/`: a text that was meant as
    ///   a path must not change the host. `RequestFailure.malformedURL` for a base that is not a valid URL.
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
