// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
public import TernProxies
public import TernRequests

/// Decides which route calls take.
package struct Router: Sendable {
    /// Whether only calls whose request names a proxy have one.
    @usableFromInline package let isAlwaysDirect: Bool
    private let resolver: ProxyResolver
    private let environment: [String: String]

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - selection: The proxy for calls whose request names none. Defaults to no proxy.
    ///   - environment: The environment variables about proxies. Defaults to none.
    package init(_ selection: ProxySelection = .direct, environment: [String: String] = [:]) {
        self.resolver = selection.resolver(environment: environment)
        self.isAlwaysDirect = self.resolver.isAlwaysDirect
        self.environment = environment
    }

    /// Returns whether a call certainly has no proxy, without examining its destination; true for most calls.
    @inlinable package func isDirect(_ call: HTTPCall) -> Bool { self.isAlwaysDirect && call.request.options.isEmpty }

    /// Returns the route of a call.
    ///
    /// A request to `https`, and one that asks to leave HTTP, such as a WebSocket's handshake (RFC 6455 §4.1), goes
    /// through a tunnel; others are forwarded. Unix domain sockets are connected directly.
    ///
    /// - Returns: The route that a stage has resolved, if it is still valid; otherwise the route as resolved now.
    /// - Throws: `ClientError.proxyFailed` if the environment contains an invalid proxy.
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
    private let asksForUpgrade: Bool

    /// Stores the route of a call.
    package init(_ route: Route, for call: HTTPCall) {
        self.route = route
        self.selection = call.request.options.proxy
        self.unixSocketPath = call.request.options.unixSocketPath
        self.asksForUpgrade = call.upgrade != nil
    }

    /// Returns whether the request still has the properties that determined the route; an interceptor below may have
    /// changed it.
    func holds(for call: HTTPCall) -> Bool {
        let options = call.request.options
        return options.proxy == self.selection && options.unixSocketPath == self.unixSocketPath
            && (call.upgrade != nil) == self.asksForUpgrade
    }
}

/// The route from the client to a server.
///
/// Every request has a route, but hardly any has a proxy, so a route takes one word.
package indirect enum Route: Hashable, Sendable {
    /// A connection to the server.
    case direct
    /// The proxy is asked to forward the request (RFC 9112 §3.2.2, absolute-form).
    case forward(Proxy)
    /// The proxy makes a connection to the server, by CONNECT (RFC 9110 §9.3.6) or SOCKS (RFC 1928).
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

    /// Returns the arguments of curl for the selection; none for the environment, which curl reads itself.
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
    /// Sets the proxy of the request, instead of the client's setting.
    ///
    /// - Parameter selection: A proxy, none, or that of the environment.
    /// - Returns: A changed copy.
    public func proxy(_ selection: ProxySelection) -> Request {
        self.with { $0.options.proxy = selection }
    }
}
