// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import TernErrors
public import TernProxies
public import TernRequests

/// Decides which way calls go.
package struct Router: Sendable {
    /// Whether a call has a proxy only if its request names one.
    @usableFromInline package let isAlwaysDirect: Bool
    private let resolver: ProxyResolver
    private let environment: [String: String]

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - selection: what holds for calls that do not say otherwise; no proxy by default.
    ///   - environment: what the process was told about proxies; nothing by default.
    package init(_ selection: ProxySelection = .direct, environment: [String: String] = [:]) {
        self.resolver = selection.resolver(environment: environment)
        self.isAlwaysDirect = self.resolver.isAlwaysDirect
        self.environment = environment
    }

    /// Whether a call surely has no proxy, found out without a look at where it goes; so it is for most.
    @inlinable package func isDirect(_ call: HTTPCall) -> Bool { self.isAlwaysDirect && call.request.options.isEmpty }

    /// The way that a call goes as it stands.
    ///
    /// A request to `https`, and one that asks to leave HTTP, such as a WebSocket's handshake (RFC 6455 §4.1), goes
    /// through a tunnel; others are forwarded. Unix-domain sockets are reached directly.
    ///
    /// - Returns: The route that a stage has resolved, if it holds still; otherwise the route as resolved now.
    /// - Throws: `ClientError.proxyFailed` if the environment names a proxy that cannot be understood.
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

    /// Keeps the route of a call as it stands.
    package init(_ route: Route, for call: HTTPCall) {
        self.route = route
        self.selection = call.request.options.proxy
        self.unixSocketPath = call.request.options.unixSocketPath
        self.asksForUpgrade = call.upgrade != nil
    }

    /// Whether the request still says what the route was resolved from: an interceptor below may have changed it.
    func holds(for call: HTTPCall) -> Bool {
        let options = call.request.options
        return options.proxy == self.selection && options.unixSocketPath == self.unixSocketPath
            && (call.upgrade != nil) == self.asksForUpgrade
    }
}

/// The way from the client to a server.
///
/// Every request has one, and hardly any a proxy; so it is one word.
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

    /// curl reads the environment by itself.
    static func curlWords(_ value: ProxySelection) -> [String] {
        switch value {
        case .environment: []
        case .direct: ["--noproxy", "*"]
        case .proxy(let proxy, _): ["--proxy", proxy.description]
        }
    }
}

extension RequestOptions {
    /// Which proxy the request goes through; `nil`, the default, leaves it to the client.
    package var proxy: ProxySelection? {
        get { self[ProxyOption.self] }
        set { self[ProxyOption.self] = newValue }
    }
}

extension Request {
    /// Says which proxy the request goes through, in place of the client's choice.
    ///
    /// - Parameter selection: the proxy, none, or what the environment says.
    /// - Returns: a changed copy.
    public func proxy(_ selection: ProxySelection) -> Request {
        self.with { $0.options.proxy = selection }
    }
}
