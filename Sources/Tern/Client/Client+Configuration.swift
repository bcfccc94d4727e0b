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
        /// The limits of time of every call; a request may bring its own.
        public var timeouts = Timeouts()
        /// How long a body may be that `data` and `upload` keep in memory, in bytes; 256 MiB by default.
        ///
        /// A longer one gives `ClientError.bodyTooLarge`: no server can fill the memory. Use `download` or `bytes` for
        /// what is larger; they hold a few buffers, whatever the length.
        public var maximumBodyByteCount = 256 << 20
        /// The rules for responses, where a request has none of its own; `nil`, the default, accepts every response.
        ///
        /// `value` and `send` then want a status of success. An empty list makes them accept every response, too.
        public var validation: [ValidationRule]?
        /// How much of a body an error keeps that says that it was not accepted or not decoded, in bytes; 64 KiB by
        /// default: enough for what a service says of a problem, and little enough for a log of many.
        public var keptBodyByteCount = 64 << 10
        /// Reads the bodies that `value` gives; JSON by default.
        public var decoder: any BodyDecoder = JSONBodyDecoder()
        /// What requests with a relative URL are resolved against; `nil`, the default, refuses them.
        ///
        /// See `Client.Configuration.resolve(_:)`, which says how. `URL(string:)` may encode escapes twice; take the URL of a
        /// request that is made from the text where it has escapes and characters that must be encoded.
        public var baseURL: URL?
        /// How long a line may be that `lines` gives, in bytes; 1 MiB by default.
        public var maximumLineByteCount = 1 << 20
        /// Fields that are added to every request that does not have them; `Accept` and `User-Agent` by default.
        public var defaultFields: HTTPFields = [.accept: "*/*", .userAgent: "tern/0.1"]
        /// Whether the client asks for compressed content and decompresses it (`gzip` and `deflate`); `true` by default.
        public var decodesContent = true
        /// How much may come out of compressed content; see `InflationLimits` for the defaults.
        ///
        /// It holds for `download` and `bytes` as well, in addition to the limit for what is kept in memory.
        public var inflationLimits = InflationLimits()
        /// Whether the content of responses is checked against its digest (RFC 9530); `.off` by default, because hashing costs
        /// time.
        ///
        /// See `Request.digestChecking(_:)`, by which a request says otherwise. What a cache has was checked when it was stored,
        /// if the call that stored it asked for that.
        public var digestChecking = DigestChecking.off
        /// Which redirects are followed; all but those from `https` to `http` by default, 20 at most.
        public var redirects = RedirectPolicy.follow
        /// Whether, how often and when calls are tried again; `nil`, the default, for never.
        ///
        /// Off by default, because only the application knows whether it would rather wait or be told. A request may bring
        /// its own policy.
        public var retry: RetryPolicy?
        /// Keeps the hosts that are asked by https alone (RFC 6797); `nil`, the default, for none.
        ///
        /// Off by default, because it makes one call depend on those before it. With a store, `http` becomes `https` for
        /// the hosts that asked for it, before anything is connected.
        public var strictTransport: (any StrictTransportStore)?
        /// Where credentials are looked for and kept that are to be stored; in memory by default; `nil` for nowhere.
        public var credentialStore: (any CredentialStore)? = MemoryCredentialStore()
        /// Where cookies are kept and taken from; `nil`, the default, for nowhere.
        ///
        /// An app that calls an API with a token needs none, and an unexpected cookie may sign requests in. With a
        /// store, every hop of every call brings its cookies, and every response may set some.
        public var cookieStore: (any CookieStore)?
        /// Where responses are kept to be used again (RFC 9111); `nil` by default: a program that wants it says where.
        ///
        /// See `MemoryCacheStore` and `DiskCacheStore`. Clients of different users need stores of their own.
        public var cache: (any CacheStore)?
        /// How the cache is used by requests that do not say; as the protocol says by default.
        public var cachePolicy = CachePolicy.useProtocol
        /// Sources of bearer tokens, each for its own servers; none by default.
        public var bearer: [BearerAuthentication] = []
        /// Signs requests as they leave; defaults to `nil`.
        public var signer: (any RequestSigner)?
        /// Which proxy requests go through; by default what `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
        ///
        /// The environment is read when the client is made.
        public var proxy = ProxySelection.environment
        /// How many connections are kept, and for how long.
        public var pool = PoolConfiguration()
        /// The TLS settings of all connections.
        public var tls = TLSConfiguration()
        /// How long the head of a response may be, in bytes, each interim head by itself.
        ///
        /// Defaults to 256 KiB, like Chrome. A longer one ends the call with `ClientError.protocolViolation`.
        public var maximumHeadByteCount: Int {
            get { self.headLimits.maximumHeadByteCount }
            set { self.headLimits.maximumHeadByteCount = newValue }
        }
        /// How many fields a head or a trailer section of a response may have.
        ///
        /// Defaults to 1,000; at most 65,534, as in `HTTPFields`. More end the call with `ClientError.protocolViolation`.
        public var maximumFieldCount: Int {
            get { self.headLimits.maximumFieldCount }
            set { self.headLimits.maximumFieldCount = newValue }
        }
        /// From which length on, in bytes, a body waits for `100 Continue`; 1 MiB by default, as in curl; `nil`: never.
        public var expectContinueThreshold: Int64? = 1 << 20
        /// How long to wait for `100 Continue` before the body is sent all the same; 1 s by default, as in curl.
        public var expectContinueTimeout: Duration = .seconds(1)
        /// Interceptors that see each call once, first in this list first; none by default.
        public var callInterceptors: [any Interceptor] = []
        /// Interceptors that see each attempt of a call, nearest to the network; none by default.
        public var attemptInterceptors: [any Interceptor] = []
        /// Are told what happens in every call, in this order; none by default.
        public var monitors: [any EventMonitor] = []
        /// Whether every call is measured, so that `Response.metrics` is there; `false` by default, because it costs
        /// some allocations and readings of the clock for each call.
        ///
        /// Calls that have a delegate, or whose client has one or ``monitors``, are measured in any case.
        public var collectsMetrics = false

        /// How long and how many the heads of a response may be, and the framing of its body.
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
                expectContinueThreshold: self.expectContinueThreshold,
                expectContinueTimeout: self.expectContinueTimeout
            )
        }
    }
}

extension Client.Configuration {
    /// The request with its URL resolved against ``baseURL`` (RFC 3986 §5.2), as every call of the client does it.
    ///
    /// ```swift
    /// configuration.baseURL = URL(string: "https://api.example.com/v1")
    /// let request = Request(.get, "users/7")  // https://api.example.com/v1/users/7
    /// ```
    ///
    /// The path of the base counts as a folder, with or without a slash at its end: by the letter of the RFC the `v1`
    /// above would be replaced. A reference that begins with a slash, `/users/7`, leads to the root of the host, and `..`
    /// leads up. The query and the fragment of the base are not used.
    ///
    /// - Parameter request: any request; one with an absolute URL is given back as it is, and so is one with a `problem`,
    ///   which it keeps.
    /// - Returns: the request, with an absolute URL if there is a base.
    /// - Throws: `RequestFailure.missingScheme` for a reference that names a host of its own, `//example.com/`: what was put
    ///   together of parts must not lead elsewhere unseen. `RequestFailure.malformedURL` for a base that cannot be read.
    package func resolve(_ request: Request) throws(RequestFailure) -> Request {
        // Assigning the URL clears the recorded problem, and `delete("users").path("..")` must not lead to the list.
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
