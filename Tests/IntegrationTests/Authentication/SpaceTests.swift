// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests the protection spaces that a client remembers (RFC 9110 §11.5).
@Suite("Authentication, spaces", .hangLimit)
struct SpaceTests {
    private let client = Client(configuration: .patient)

    /// Sends a request to an area of Apache, and returns the entries of Apache's log.
    private func ask(
        _ area: Apache.Area,
        _ query: String,
        _ change: (Request) -> Request = { $0.credential(Account.albert.credential) },
        delegate: (any TaskDelegate)? = nil
    ) async throws -> [String] {
        let apache = try await Apache.shared
        let request = change(Request(.get, apache.url(.http, area, "hello.txt?\(query)")))
        let status = try await self.client.data(for: request, delegate: delegate).1.statusCode
        // Apache logs a request only after it has answered.
        try await eventually("the last request is noted") {
            try apache.entries(about: query).last?.contains(" \(status) ") == true
        }
        return try apache.entries(about: query)
    }

    @Test(arguments: [Apache.Area.basic, .digest])
    func `the second request to a space is let in at once`(_ area: Apache.Area) async throws {
        let name = "second-\(area)"
        let delegate = SteeringDelegate(.albert)
        let first = try await self.ask(area, "\(name)-1", { $0 }, delegate: delegate)
        #expect(first.map { $0.split(separator: " ")[1] } == ["401", "200"])
        #expect(try await self.ask(area, "\(name)-2", { $0 }, delegate: delegate) == ["GET 200 Albert"])
        #expect(try await self.ask(area, "\(name)-3", { $0 }) == ["GET 200 Albert"])
        #expect(delegate.challenges.count == 1)
    }

    @Test(arguments: [Apache.Area.basic, .digest])
    func `a credential that is not to be kept is not`(_ area: Apache.Area) async throws {
        let credential = Credential(user: "Albert", password: "open sesame", persistence: .none)
        for number in 1...2 {
            let entries = try await self.ask(area, "unkept-\(area)-\(number)", { $0.credential(credential) })
            #expect(entries.count == 2)
        }
    }

    @Test func `each realm of a server has its own credential`() async throws {
        let delegate = SteeringDelegate(challenged: { challenge in
            .useCredential(
                challenge.protectionSpace.realm == "other" ? Account.berta.credential : Account.albert.credential
            )
        })
        for number in 1...2 {
            for area in [Apache.Area.basic, .other, .digest] {
                let last = try await self.ask(area, "realm-\(area)-\(number)", { $0 }, delegate: delegate).last
                #expect(last == "GET 200 \(area == .other ? "Berta" : "Albert")")
            }
        }
        #expect(delegate.challenges.count == 3)
    }

    /// A Digest credential without a `domain` is sent to the whole server, so also to an area that needs Basic.
    @Test func `what one space accepted and another does not is kept, and answers the other by its scheme`()
        async throws
    {
        for number in 1...2 {
            let digest = try await self.ask(.staleDigest, "kept-digest-\(number)")
            #expect(digest.last == "GET 200 Albert")
            let basic = try await self.ask(.basic, "kept-basic-\(number)")
            #expect(basic.last == "GET 200 Albert")
        }
    }

    @Test func `a credential sent unasked by Basic answers Digest, too`() async throws {
        let place = try await Recorder()
        let request = place.get("/digest").credential(Account.albert.credential, isPreemptive: true)
        #expect(try await self.client.status(request) == 200)
    }

    @Test func `what is no longer accepted is forgotten`() async throws {
        let place = try await Recorder()
        let stored = MemoryCredentialStore()
        let client = Client { $0.credentialStore = stored }
        let delegate = SteeringDelegate(challenged: { challenge in
            .useCredential(Credential(token: challenge.previousFailureCount == 0 ? "old" : "new", persistence: .stored))
        })
        let old = place.get("/bearer", ["token": "old"])
        #expect(try await client.status(old, delegate: delegate) == 200)
        #expect(try await client.status(old) == 200)
        #expect("\(stored)" == "MemoryCredentialStore of 1")
        #expect(try await client.status(place.get("/bearer", ["token": "new"]), delegate: delegate) == 200)
        #expect(delegate.failureCounts == [0, 1])
        #expect(try await client.status(old) == 401)
        #expect("\(stored)" == "MemoryCredentialStore of 0")
    }

    @Test func `what is to be stored serves another client`() async throws {
        let apache = try await Apache.shared
        let store = MemoryCredentialStore()
        let credential = Credential(user: "Albert", password: "open sesame", persistence: .stored)
        let request = Request(.get, apache.url(.http, .digest))
        let first = Client { $0.credentialStore = store }
        #expect(try await first.status(request.credential(credential)) == 200)
        #expect(try await Client { $0.credentialStore = store }.status(request) == 200)
        #expect(try await Client(configuration: .patient).status(request) == 401)
    }

    @Test func `who brings a credential does not come in as somebody else`() async throws {
        let place = try await Recorder()
        let request = place.get("/basic")
        #expect(try await self.client.status(request.credential(Account.albert.credential)) == 200)
        #expect(try await self.client.status(request.credential(Account.jason.credential)) == 200)
        #expect(try await self.client.status(request.credential(Account.albert.wrongCredential)) == 401)
        #expect(try await self.client.status(request) == 401)
        #expect(try await self.client.status(request.credential(Account.jason.credential)) == 200)
    }

    @Test func `another port or scheme is another space`() async throws {
        let (place, other) = (try await Recorder(), try await Recorder(isOther: true))
        #expect(try await self.client.status(place.get("/basic").credential(Account.albert.credential)) == 200)
        #expect(try await self.client.status(other.get("/basic")) == 401)
        #expect(try await other.seen().allSatisfy { $0.authorization == nil })
    }
}
