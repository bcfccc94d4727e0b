// SPDX-License-Identifier: Apache-2.0
public import TernProxies
public import TernRequests

private enum ProxyOption: RequestOption {
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
    public var proxy: ProxySelection? {
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
