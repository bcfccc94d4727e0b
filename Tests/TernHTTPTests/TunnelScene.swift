// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernConnections
import TernErrors
import TernHTTP
import TernProxies
import TernRequests
import TernTesting
import TernTransport

/// A transport without a client, with its server.
typealias Scene = TransportScene

extension TransportScene {
    /// The response of a proxy that has opened a tunnel.
    static let established = "HTTP/1.1 200 Connection established\r\n\r\n"
    /// The response of a proxy that requires authentication and keeps the connection open.
    static let whoAsks = ScriptedResponse.raw(
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"birds\"\r\n"
            + "Content-Length: 4\r\n\r\nwho?"
    )

    /// Returns a transport whose calls go through a proxy, over connections in memory.
    ///
    /// The first connection uses the first list of steps. All others use the second list or, without one, also the
    /// first.
    static func proxied(
        _ proxy: Proxy = Proxy(.http, host: "proxy", port: 8080),
        steps: [ScriptedServer.Step]...,
        plan: ConnectionPlan = .accept(),
        authorizer: ScriptedAuthorizer? = nil
    ) -> Scene {
        let configuration = HTTPTransportConfiguration(router: Router(.proxy(proxy)), tunnelAuthorizer: authorizer)
        // After its steps, the server waits, like a proxy.
        let first = (steps.first ?? []) + [.receive]
        let server = ScriptedServer(steps: first, steps.count > 1 ? steps[1] + [.receive] : first)
        return Scene(server, plan: plan, configuration)
    }
}

extension Request {
    /// A request that needs a tunnel.
    static let secure = Request(.get, "https://test/")
}
