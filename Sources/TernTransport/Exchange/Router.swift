// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
public import TernProxies
public import TernRequests

/// Chooses the route of each call: directly to the server, or through a proxy.
package struct Router: Sendable {
    /// Whether the client has no proxy, so that only requests that name a proxy themselves use one.
    @usableFromInline package let isAlwaysDirect: Bool
    private let resolver: ProxyResolver
    private let environment: [String: String]

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - selection: The proxy for requests that name none themselves. Defaults to no proxy.
    ///   - environment: The environment variables, such as `HTTPS_PROXY`. Defaults to none.
    package init(_ selection: ProxySelection = .direct, environment: [String: String] = [:]) {
        self.resolver = selection.resolver(environment: environment)
        self.isAlwaysDirect = self.resolver.isAlwaysDirect
        self.environment = environment
    }

    /// Returns whether a call certainly has no proxy.
    ///
    /// This method does not examine the destination of the call. If the client has no proxy, the result is `true` for
    /// most calls. If the result is `false`, ``route(for:)`` decides.
    @inlinable
    package func isDirect(_ call: HTTPCall) -> Bool {
        self.isAlwaysDirect && !call.request.options.hasKeyedOptions
    }

    /// Returns the route of a call.
    ///
    /// Two kinds of requests need a tunnel through the proxy: requests to `https` URLs, and requests that offer an
    /// upgrade, such as a WebSocket's handshake (RFC 6455 §4.1). An HTTP proxy forwards other requests. A SOCKS proxy
    /// tunnels every request. A request to a Unix domain socket never uses a proxy.
    ///
    /// - Returns: The route that a stage has resolved before, if the route is still valid; otherwise a newly resolved
    ///   route.
    /// - Throws: `ClientError.proxyFailed` if an environment variable names an invalid proxy.
    package func route(for call: HTTPCall) throws(ClientError) -> Route {
        if self.isDirect(call) { return .direct }
        if let resolved = call.resolvedRoute, resolved.holds(for: call) { return resolved.route }
        let own = call.request.options.proxy
        if own == nil, self.isAlwaysDirect { return .direct }
        guard call.request.options.unixSocketPath == nil else { return .direct }
        let resolver = own.map { $0.resolver(environment: self.environment) } ?? self.resolver
        let origin = call.destination.origin
        let proxy: Proxy?
        do throws(ProxyURLError) {
            proxy = try resolver.proxy(for: origin)
        } catch {
            throw .proxyFailed(error.failure, call.context(.prepare))
        }
        guard let proxy else { return .direct }
        let needsTunnel = origin.scheme == .https || call.upgrade != nil
        return proxy.kind == .socks5 || needsTunnel ? .tunnel(proxy) : .forward(proxy)
    }
}

/// A route that a stage has resolved for the stages below it and for the transport.
package struct ResolvedRoute: Sendable {
    /// The route.
    package let route: Route
    private let selection: ProxySelection?
    private let unixSocketPath: String?

    /// Stores the route of a call.
    package init(_ route: Route, for call: HTTPCall) {
        self.route = route
        self.selection = call.request.options.proxy
        self.unixSocketPath = call.request.options.unixSocketPath
    }

    /// Returns whether the request still has the properties that determined the route.
    ///
    /// An interceptor may have changed the request since.
    func holds(for call: HTTPCall) -> Bool {
        let options = call.request.options
        return options.proxy == self.selection && options.unixSocketPath == self.unixSocketPath
    }
}

/// The route from the client to a server.
///
/// The enumeration is indirect, so that a route takes only one word: every request has a route, but few have a proxy.
package indirect enum Route: Hashable, Sendable {
    /// The client connects to the server.
    case direct
    /// The client asks the proxy to forward the request (RFC 9112 §3.2.2, absolute-form).
    case forward(Proxy)
    /// The client asks the proxy for a connection to the server, with CONNECT (RFC 9110 §9.3.6) or SOCKS (RFC 1928).
    case tunnel(Proxy)

    /// The proxy, if there is one.
    package var proxy: Proxy? {
        switch self {
        case .direct: nil
        case .forward(let proxy), .tunnel(let proxy): proxy
        }
    }
}

private enum ProxyOption: CurlOption {
    typealias Value = ProxySelection

    /// Returns curl's arguments for the selection.
    ///
    /// For `.environment` there are none, because curl reads the environment variables itself.
    static func curlArguments(_ value: ProxySelection) -> [String] {
        switch value {
        case .environment: []
        case .direct: ["--noproxy", "*"]
        case .proxy(let proxy, _): ["--proxy", proxy.description]
        }
    }
}

extension RequestOptions {
    /// The proxy of the request.
    ///
    /// Defaults to `nil`, which uses the client's setting.
    package var proxy: ProxySelection? {
        get { self[ProxyOption.self] }
        set { self[ProxyOption.self] = newValue }
    }
}

extension Request {
    /// Sets the proxy of the request, which replaces the client's setting.
    ///
    /// - Parameter selection: A proxy, no proxy, or the proxy that the environment variables name.
    /// - Returns: A changed copy.
    public func proxy(_ selection: ProxySelection) -> Request {
        self.with { $0.options.proxy = selection }
    }
}
