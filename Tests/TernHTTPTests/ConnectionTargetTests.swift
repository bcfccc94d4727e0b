// SPDX-License-Identifier: Apache-2.0
import TernConnections
@testable import TernHTTP
import TernProxies
import TernRequests
import TernTransport
import Testing

@Suite("ConnectionTarget")
struct ConnectionTargetTests {
    private let origin = Origin(scheme: .https, host: "test", port: 443)

    @Test func `what differs needs another connection`() {
        let proxy = Proxy(.http, host: "proxy", port: 80)
        let targets = [
            ConnectionTarget(origin: self.origin),
            ConnectionTarget(origin: Origin(scheme: .http, host: "test", port: 443)),
            ConnectionTarget(origin: self.origin, unixSocketPath: "/run/x"),
            ConnectionTarget(origin: self.origin, route: .tunnel(proxy)),
            ConnectionTarget(origin: self.origin, route: .forward(proxy)),
            ConnectionTarget(origin: self.origin, route: .tunnel(Proxy(.https, host: "proxy", port: 80))),
            ConnectionTarget(origin: self.origin, route: .tunnel(Proxy(.http, host: "proxy", port: 81))),
            ConnectionTarget(origin: self.origin, route: .tunnel(Proxy(.http, host: "proxy", port: 80, user: "a"))),
            ConnectionTarget(origin: self.origin, route: .tunnel(proxy), proxyAuthorization: "Basic YTph"),
            ConnectionTarget(origin: self.origin, route: .tunnel(proxy), proxyAuthorization: "Basic Yjpi"),
        ]
        #expect(Set(targets).count == targets.count)
        #expect(Set(targets + targets).count == targets.count)
    }

    @Test func `it is the proxy that is connected to, and a socket before all`() {
        let proxy = Proxy(.http, host: "proxy", port: 80)
        #expect(ConnectionTarget(origin: self.origin).endpoint == .host("test", port: 443))
        #expect(ConnectionTarget(origin: self.origin, route: .tunnel(proxy)).endpoint == .host("proxy", port: 80))
        let socket = ConnectionTarget(origin: self.origin, unixSocketPath: "/run/x")
        #expect(socket.endpoint == .unixSocket(path: "/run/x"))
    }

    @Test func `no form of text shows who asks`() {
        let proxy = Proxy(.http, host: "proxy", port: 80, user: "somebody", password: "s3cr3t")
        let target = ConnectionTarget(origin: self.origin, route: .tunnel(proxy), proxyAuthorization: "Basic s3cr3t")
        var text = "\(target) \(String(reflecting: target))"
        dump(target, to: &text)
        #expect(!text.contains("s3cr3t") && !text.contains("somebody"))
        #expect(text.contains("proxy"))
    }
}
