// SPDX-License-Identifier: Apache-2.0

import TernProxies
import TernRequests
import Testing

@Suite("ProxySelection")
struct ProxySelectionTests {
    private static let proxy = Proxy(.http, host: "proxy", port: 3128)

    @Test
    func `direct knows no proxy`() throws {
        let resolver = ProxySelection.direct.resolver(environment: ["all_proxy": "proxy"])
        #expect(resolver.isAlwaysDirect)
        #expect(try resolver.proxy(for: Origin(scheme: .https, host: "example.com")) == nil)
    }

    @Test(arguments: ["example.com", "localhost", "127.0.0.1", "::1"])
    func `a chosen proxy is for every host`(_ host: String) throws {
        let resolver = ProxySelection.proxy(Self.proxy).resolver(environment: ["no_proxy": "*"])
        #expect(try resolver.proxy(for: Origin(scheme: .https, host: host)) == Self.proxy)
        #expect(!resolver.isAlwaysDirect)
    }

    @Test
    func `a chosen proxy has the exceptions that come with it`() throws {
        let selection = ProxySelection.proxy(Self.proxy, except: "localhost,10.0.0.0/8:1,example.com")
        let resolver = selection.resolver(environment: [:])
        #expect(try resolver.proxy(for: Origin(scheme: .https, host: "www.example.com")) == nil)
        #expect(try resolver.proxy(for: Origin(scheme: .https, host: "localhost")) == nil)
        #expect(try resolver.proxy(for: Origin(scheme: .https, host: "10.0.0.1")) == Self.proxy)
    }

    static let environments: [([String: String], Bool)] = [
        ([:], true), (["no_proxy": "a"], true), (["HTTP_PROXY": "a"], true), (["https_proxy": " "], true),
        (["all_proxy": "a", "no_proxy": "b *"], true), (["all_proxy": "a", "no_proxy": "*:80"], false),
        (["http_proxy": "a"], false), (["HTTPS_PROXY": "a"], false), (["all_proxy": "not a URL"], false),
    ]

    @Test(arguments: environments)
    func `an environment without proxies is known to have none`(_ variables: [String: String], _ isDirect: Bool) {
        #expect(ProxySelection.environment.resolver(environment: variables).isAlwaysDirect == isDirect)
    }

    @Test
    func `exceptions for all hosts leave no proxy`() {
        #expect(ProxySelection.proxy(Self.proxy, except: "*").resolver(environment: [:]).isAlwaysDirect)
    }

    @Test
    func `only the environment is looked at that is asked for`() {
        func variables() -> [String: String] {
            Issue.record("the environment was read")
            return [:]
        }
        #expect(ProxySelection.direct.resolver(environment: variables()) == ProxyResolver())
        #expect(ProxySelection.proxy(Self.proxy).resolver(environment: variables()) == ProxyResolver(Self.proxy))
    }
}
