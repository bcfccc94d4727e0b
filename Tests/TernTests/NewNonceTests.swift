// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

private let albert = Credential(user: "albert", password: "einstein")

/// A Digest server that never sends `stale`.
private final class ForgetfulServer: Sendable {
    private struct State {
        var nonce = 1
        var password = "einstein"
        var usesLeft = Int.max
    }

    private let state = Mutex(State())
    /// The number of times that a nonce may be used.
    private let useCount: Int

    init(useCount: Int = .max) {
        self.useCount = useCount
        self.state.withLock { $0.usesLeft = useCount }
    }

    /// Makes the server forget its nonces.
    func restart() { self.state.withLock { $0.nonce += 1 } }

    func change(to password: String) { self.state.withLock { $0.password = password } }

    func answer(_ request: ReceivedRequest) -> ScriptedResponse {
        self.state.withLock { state in
            if let told = DigestRequest(request), told.nonce == "n\(state.nonce)", state.usesLeft > 0,
                told.knows("albert", state.password, realm: "birds")
            {
                state.usesLeft -= 1
                return .response(body: "welcome")
            }
            // Each 401 has a new nonce, as from Apache and nginx.
            state.nonce += 1
            state.usesLeft = self.useCount
            let challenge = #"Digest realm="birds", nonce="n\#(state.nonce)", qop="auth", algorithm=SHA-256"#
            return .response(.unauthorized, fields: [.wwwAuthenticate: challenge])
        }
    }
}

@Suite("Digest: nonces that are new without being called stale", .hangLimit)
struct NewNonceTests {
    private static let request = Request(.get, "http://test/birds")

    private func status(_ scene: ClientScene, _ request: Request) async throws -> Int {
        try await scene.client.data(for: request).1.statusCode
    }

    @Test func `a password that was good before is tried once against the new nonce`() async throws {
        let server = ForgetfulServer()
        let scene = ClientScene { server.answer($0) }
        let request = Self.request.credential(albert)
        for count in [2, 4, 6] {
            #expect(try await self.status(scene, request) == 200)
            #expect(scene.server.requests.count == count)
            server.restart()
        }
    }

    @Test func `nonces that are good for one request do, too`() async throws {
        let server = ForgetfulServer(useCount: 1)
        let scene = ClientScene { server.answer($0) }
        for count in [2, 4, 6] {
            #expect(try await self.status(scene, Self.request.credential(albert)) == 200)
            #expect(scene.server.requests.count == count)
        }
    }

    @Test func `a password that is no longer good ends as 401`() async throws {
        let server = ForgetfulServer()
        let scene = ClientScene { server.answer($0) }
        let request = Self.request.credential(albert)
        #expect(try await self.status(scene, request) == 200)
        server.change(to: "bohr")
        #expect(try await self.status(scene, request) == 401)
        #expect(scene.server.requests.count == 4)
        // The client has forgotten the accepted credential. The next call begins without one, and tries the request's
        // credential once.
        #expect(try await self.status(scene, request) == 401)
        #expect(scene.server.requests.count == 6)
    }

    @Test func `the delegate is asked after that, with one failure`() async throws {
        let server = ForgetfulServer()
        let scene = ClientScene { server.answer($0) }
        let counts = Mutex<[Int]>([])
        let answers = Mutex(["einstein", "wrong", "bohr"])
        let delegate = AnsweringDelegate(challenged: { challenge in
            counts.withLock { $0.append(challenge.previousFailureCount) }
            let password = answers.withLock { $0.removeFirst() }
            return .useCredential(Credential(user: "albert", password: password))
        })
        _ = try await scene.client.data(for: Self.request, delegate: delegate)
        server.change(to: "bohr")
        let (_, response) = try await scene.client.data(for: Self.request, delegate: delegate)
        #expect(response.statusCode == 200)
        #expect(counts.withLock { $0 } == [0, 1, 2])
        // The first call sends one request without and one with a credential. The second call sends the known
        // credential twice, and each of the delegate's two answers once.
        #expect(scene.server.requests.count == 2 + 4)
    }

    @Test func `a password that answered a nonce of this call is not tried again`() async throws {
        let server = ForgetfulServer()
        server.change(to: "bohr")
        let scene = ClientScene { server.answer($0) }
        #expect(try await self.status(scene, Self.request.credential(albert)) == 401)
        #expect(scene.server.requests.count == 2)
    }
}
