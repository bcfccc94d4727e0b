// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Redirects to and from hosts that are asked by https", .hangLimit)
struct StrictTransportRedirectTests {
    /// A client that uses HTTPS for `bank` and its subdomains, and a server that redirects from `/go` to a given place.
    private struct Scene {
        let monitor = RecordingMonitor()
        let scene: ClientScene

        init(to place: String, status: HTTPResponse.Status = .found, delegate: (any TaskDelegate)? = nil) {
            let store = MemoryStrictTransportStore()
            var configuration = Client.Configuration()
            configuration.strictTransport = store
            configuration.monitors = [self.monitor]
            self.scene = ClientScene(configuration, delegate: delegate) { request in
                request.target == "/go"
                    ? .response(status, fields: [.location: place])
                    : .response(body: request.fields[.authorization] ?? "nothing")
            }
            let policy = StrictTransportPolicy(maximumAge: 100, includesSubdomains: true)
            store.note(policy, of: "bank", now: self.scene.clock.date)
        }

        func get(_ request: Request) async throws -> (body: String, response: Response) {
            let (data, response) = try await self.scene.client.data(for: request)
            return (String(decoding: data, as: UTF8.self), response)
        }
    }

    @Test(
        "a call that the client changed to https does not continue unencrypted",
        arguments: [HTTPResponse.Status.found, .temporaryRedirect]
    )
    func insecure(_ status: HTTPResponse.Status) async {
        let scene = Scene(to: "http://other/x", status: status)
        let error = await failure { () async throws(ClientError) in
            try await scene.scene.client.data(for: Request(.post, "http://bank/go").body(.data(Data("secret".utf8))))
        }
        guard case .redirectFailed(.insecure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scene.scene.server.requests.count == 1)
    }

    @Test(
        "secrets and .sameOrigin depend on the URL that the client sends",
        arguments: [
            ("http://bank/go", "https://bank/b", true), ("http://bank/go", "http://bank/b", true),
            ("https://bank/go", "http://bank/b", true), ("https://bank/go", "http://bank:80/b", true),
            ("http://bank:80/go", "/b", true), ("https://bank/go", "http://sub.bank/b", false),
            ("http://bank/go", "http://bank:8080/b", false),
        ]
    )
    func origins(_ from: String, _ to: String, _ isSameOrigin: Bool) async throws {
        let scene = Scene(to: to)
        let request = Request(.get, from).header(.authorization, "Basic x")
        let (body, response) = try await scene.get(request)
        #expect(body == (isSameOrigin ? "Basic x" : "nothing"))
        #expect(response.url.scheme == "https")
        #expect(response.redirects.map(\.url.scheme) == ["https"])
        let near = try await scene.get(request.redirects(.sameOrigin)).response
        #expect(near.statusCode == (isSameOrigin ? 200 : 302))
    }

    @Test func `a delegate is asked about the URL that will be sent, and its own is looked at, too`() async throws {
        let delegate = AnsweringDelegate(redirected: { request, _ in
            #expect(request.url.absoluteString == "https://bank/b")
            return .follow(Request(.get, "http://sub.bank/c"))
        })
        let response = try await Scene(to: "http://bank/b", delegate: delegate).get(Request(.get, "http://bank/go"))
        #expect(response.response.url.absoluteString == "https://sub.bank/c")
        #expect(response.response.redirects.map(\.url.absoluteString) == ["https://bank/go"])
    }

    @Test func `a hop that becomes https is no other try`() async throws {
        let scene = Scene(to: "http://bank/b")
        _ = try await scene.get(Request(.get, "http://bank/go"))
        #expect(
            scene.monitor.events.filter { !$0.isStep } == [
                .callBegan,
                .began(1, .initial),
                .ended(1, status: 302),
                .willSend(.redirect),
                .began(2, .redirect),
                .ended(2, status: 200),
                .callEnded(transactionCount: 2, hasFailed: false),
            ]
        )
    }

    @Test func `a socket is left alone, and left with the origin`() async throws {
        let away = Scene(to: "http://bank/b")
        let socket = Request(.get, "http://other/go").unixSocket(path: "/run/x")
        #expect(try await away.get(socket).response.url.absoluteString == "https://bank/b")
        #expect(away.scene.connector.endpoints == [.unixSocket(path: "/run/x"), .host("bank", port: 443)])
        let within = Scene(to: "/b")
        let response = try await within.get(Request(.get, "http://bank/go").unixSocket(path: "/run/x")).response
        #expect(response.url.absoluteString == "http://bank/b")
        let upward = Scene(to: "http://bank/b")
        let left = Request(.get, "https://bank/go").unixSocket(path: "/run/x").header(.authorization, "Basic x")
        #expect(try await upward.get(left).body == "nothing")
    }
}
