// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests features of Digest that no available server has.
///
/// The section numbers are those of RFC 7616.
@Suite("Authentication, Digest", .hangLimit)
struct DigestTests {
    private let client = Client(configuration: .patient)

    @Test(arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256"], ["auth", "auth-int"])
    func `every algorithm protects request and response`(_ algorithm: String, _ qop: String) async throws {
        let place = try await Recorder()
        for account in [Account.albert, .jason] {
            let request = Request(.post, place.url("/digest", ["algorithm": algorithm, "qop": qop, "proof": "right"]))
                .body(data: Data("body".utf8), contentType: "text/plain")
            #expect(try await self.client.status(request.credential(account.credential)) == 200)
        }
        let seen = try await place.seen()
        #expect(seen.map(\.body) == Array(repeating: "body", count: seen.count))
        #expect(seen.last?.parameter("qop") == qop)
    }

    @Test(arguments: ["MD5", "SHA-256", "SHA-512-256-sess"], [Account.albert, .jason])
    func `§3.4.4 the name is hashed where the server wants it`(_ algorithm: String, _ account: Account) async throws {
        let place = try await Recorder()
        let request = place.get("/digest", ["algorithm": algorithm, "userhash": "yes"])
        #expect(try await self.client.status(request.credential(account.credential)) == 200)
        let last = try #require(try await place.seen().last)
        #expect(last.parameter("userhash") == "true")
        #expect(last.authorization?.contains(account.user) == false)
    }

    @Test func `§3.5 a server that does not know the password is found out`() async throws {
        let request = try await Recorder().get("/digest", ["proof": "wrong"]).credential(Account.albert.credential)
        let fault = await fault { () async throws(ClientError) in try await self.client.data(for: request) }
        #expect(fault == .authenticationFailed(.serverNotAuthentic))
    }

    @Test func `§3.5 the next nonce is used by the next request, and its count begins anew`() async throws {
        let place = try await Recorder()
        let request = place.get("/digest", ["nextnonce": "yes"]).credential(Account.albert.credential)
        for _ in 0..<3 { #expect(try await self.client.status(request) == 200) }
        let seen = try await place.seen().dropFirst()
        #expect(seen.count == 3)
        #expect(seen.map { $0.parameter("nc") } == Array(repeating: "00000001", count: 3))
        #expect(Set(seen.map { $0.parameter("nonce") }).count == 3)
    }

    @Test func `§3.4 a nonce is counted on`() async throws {
        let place = try await Recorder()
        let request = place.get("/digest").credential(Account.albert.credential)
        for _ in 0..<3 { #expect(try await self.client.status(request) == 200) }
        let seen = try await place.seen()
        #expect(seen.map { $0.parameter("nc") } == [nil, "00000001", "00000002", "00000003"])
        #expect(Set(seen.dropFirst().map { $0.parameter("cnonce") }).count == 3)
    }

    @Test func `§3.4 no count comes twice, however many requests there are at a time`() async throws {
        let place = try await Recorder()
        let request = place.get("/digest").credential(Account.albert.credential)
        #expect(try await self.client.status(request) == 200)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await self.client.status(request) } }
            for try await status in group { #expect(status == 200) }
        }
        let counts = try await place.seen().compactMap { $0.parameter("nc") }
        #expect(counts.count == 21)
        #expect(Set(counts).count == 21)
    }

    /// RFC 7616 §3.4.6: the client hashes the target exactly as it sends it.
    @Test(arguments: ["/digest?a=b&c=%20d", "/digest?q=%C3%A4+%2B", "/digest?%22=%5C"])
    func `the target is hashed as it was sent`(_ target: String) async throws {
        let url = try await Recorder().url("").prefix { $0 != "?" } + target
        let request = Request(.get, String(url)).credential(Account.albert.credential)
        #expect(try await self.client.status(request) == 200)
    }

    @Test func `a stale nonce is replaced without asking anybody`() async throws {
        let apache = try await Apache.shared
        let delegate = SteeringDelegate(.albert)
        let request = Request(.get, apache.url(.http, .staleDigest))
        for _ in 0..<3 { #expect(try await self.client.status(request, delegate: delegate) == 200) }
        #expect(delegate.challenges.count == 1)
    }

    @Test func `proof of who one is does not open every door`() async throws {
        let apache = try await Apache.shared
        let delegate = SteeringDelegate(challenged: { challenge in
            challenge.previousFailureCount < 2 ? .useCredential(Account.albert.credential) : .performDefaultHandling
        })
        let request = Request(.get, apache.url(.http, .forbidden))
        #expect(try await self.client.status(request, delegate: delegate) == 401)
        #expect(delegate.failureCounts == [0, 1, 2])
    }
}
