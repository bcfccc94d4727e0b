// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

/// The interceptor of the article "In an app for iOS".
private struct HTTPSOnly: Interceptor {
    struct NotSecure: Error {}

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        guard ["https", "wss"].contains(call.request.url.scheme?.lowercased()) else {
            throw .interceptorFailed(NotSecure(), call.context(.prepare))
        }
        return try await next.respond(to: call)
    }
}

@Suite("An interceptor that refuses http", .hangLimit)
struct HTTPSOnlyTests {
    private static func scene() -> ClientScene {
        var configuration = Client.Configuration()
        configuration.attemptInterceptors = [HTTPSOnly()]
        configuration.redirects = RedirectPolicy(allowsInsecure: true)
        return ClientScene(configuration) { request in
            guard request.target == "/away" else { return .response(body: "fine") }
            return .response(.found, fields: [.location: "http://test/"])
        }
    }

    @Test func `https passes`() async throws {
        let scene = Self.scene()
        #expect(try await scene.client.string(for: Request(.get, "HTTPS://test/")) == "fine")
    }

    @Test(arguments: ["http://test/", "HTTP://test/"])
    func `anything else is refused before a connection is made`(url: String) async {
        let scene = Self.scene()
        let fault = await fault { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, url))
        }
        #expect(fault == .interceptorFailed)
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `a redirect to http is refused, even if the policy allows it`() async {
        let scene = Self.scene()
        let fault = await fault { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, "https://test/away"))
        }
        #expect(fault == .interceptorFailed)
        #expect(scene.server.requests.count == 1)
    }
}
