// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
public import TernProxies
public import TernRequests

package struct Router: Sendable {
    /// Whether only requests that name a proxy themselves use one.
    @usableFromInline package let isAlwaysDirect: Bool
    private let resolver: ProxyResolver
    private let environment: [String: String]

    package init(_ selection: ProxySelection = .direct, environment: [String: String] = [:]) {
        self.resolver = selection.resolver(environment: environment)
        self.isAlwaysDirect = self.resolver.isAlwaysDirect
        self.environment = environment
    }

    /// Returns whether a call certainly has no proxy, without examining its destination; if not, ``route(for:)`` decides.
    @inlinable
    package func isDirect(_ call: HTTPCall) -> Bool {
        self.isAlwaysDirect && !call.request.options.hasKeyedOptions
    }

    /// Returns the route that a stage has resolved before, if it is still valid, or resolves one.
    ///
    /// An HTTP proxy opens a tunnel for requests to `https` URLs, and for those that offer an upgrade (RFC 6455 §4.1); it forwards
    /// other requests. A SOCKS proxy tunnels every request. A request to a Unix domain socket never uses a proxy. Throws
    /// `ClientError.proxyFailed` if an environment variable names an invalid proxy.
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

package struct ResolvedRoute: Sendable {
    package let route: Route
    private let selection: ProxySelection?
    private let unixSocketPath: String?

    package init(_ route: Route, for call: HTTPCall) {
        self.route = route
        self.selection = call.request.options.proxy
        self.unixSocketPath = call.request.options.unixSocketPath
    }

    /// Returns whether the request still has the properties that determined the route, which an interceptor may have changed.
    func holds(for call: HTTPCall) -> Bool {
        let options = call.request.options
        return options.proxy == self.selection && options.unixSocketPath == self.unixSocketPath
    }
}

/// The route from the client to a server: indirect, so that it takes one word, because few routes have a proxy.
package indirect enum Route: Hashable, Sendable {
    case direct
    /// The client asks the proxy to forward the request, over HTTP/1.1 in absolute-form (RFC 9112 §3.2.2).
    case forward(Proxy)
    /// The client asks the proxy for a connection to the server, with CONNECT (RFC 9110 §9.3.6) or SOCKS (RFC 1928).
    case tunnel(Proxy)

    package var proxy: Proxy? {
        switch self {
        case .direct: nil
        case .forward(let proxy), .tunnel(let proxy): proxy
        }
    }
}

private enum ProxyOption: CurlOption {
    typealias Value = ProxySelection

    /// Returns curl's arguments; none for `.environment`, because curl reads the environment variables itself.
    static func curlArguments(_ value: ProxySelection) -> [String] {
        switch value {
        case .environment: []
        case .direct: ["--noproxy", "*"]
        case .proxy(let proxy, _): ["--proxy", proxy.description]
        }
    }
}

extension RequestOptions {
    /// The proxy of the request; `nil` for the client's setting.
    package var proxy: ProxySelection? {
        get { self[ProxyOption.self] }
        set { self[ProxyOption.self] = newValue }
    }
}

extension Request {
    /// Sets the proxy of the request, instead of the client's setting; `URLSession` does not support this.
    public func proxy(_ selection: ProxySelection) -> Request {
        self.with { $0.options.proxy = selection }
    }
}
