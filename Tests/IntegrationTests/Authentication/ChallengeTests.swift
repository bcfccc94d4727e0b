// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Authentication, challenges", .hangLimit)
struct ChallengeTests {
    private let client = Client(configuration: .patient)

    @Test(arguments: [Apache.Area.basic, .digest])
    func `a delegate learns how often it was wrong, and gives up`(_ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        let delegate = SteeringDelegate(challenged: { challenge in
            challenge.previousFailureCount < 3
                ? .useCredential(Account.albert.wrongCredential) : .performDefaultHandling
        })
        let (_, response) = try await self.client.data(for: Request(.get, apache.url(.http, area)), delegate: delegate)
        #expect(response.statusCode == 401)
        #expect(delegate.failureCounts == [0, 1, 2, 3])
        #expect(delegate.challenges.allSatisfy { $0.response?.status == .unauthorized })
        #expect(delegate.challenges.allSatisfy { $0.protectionSpace.realm == "tern" })
    }

    @Test func `a delegate may be right the third time`() async throws {
        let apache = try await Apache.shared
        let delegate = SteeringDelegate(challenged: { challenge in
            .useCredential(
                challenge.previousFailureCount < 2 ? Account.albert.wrongCredential : Account.albert.credential
            )
        })
        #expect(try await self.client.status(Request(.get, apache.url(.http, .digest)), delegate: delegate) == 200)
        #expect(delegate.failureCounts == [0, 1, 2])
    }

    @Test func `a delegate that never gives up is given up`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate(challenged: { _ in .useCredential(Account.albert.wrongCredential) })
        #expect(try await self.client.status(place.get("/basic"), delegate: delegate) == 401)
        #expect(try await place.seen().count == 17)
    }

    @Test(arguments: [Apache.Area.basic, .digest])
    func `a wrong password that is brought gives the 401, and is tried once`(_ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        for bringing in Bringing.allCases where bringing != .taskDelegate && bringing != .clientDelegate {
            let query = "\(bringing)-\(area)"
            let url = apache.url(.http, area, "hello.txt?\(query)")
            let account = Account(user: "Albert", password: "wrong")
            let (_, response) = try await bringing.send(url, as: account)
            #expect(response.statusCode == 401)
            try await eventually("both requests are noted") { try apache.entries(about: query).count >= 2 }
            #expect(try apache.entries(about: query).count == 2)
        }
    }

    @Test func `a delegate that cancels ends the call`() async throws {
        let apache = try await Apache.shared
        let delegate = SteeringDelegate(challenged: { _ in .cancel })
        let request = Request(.get, apache.url(.http, .basic))
        let fault = await fault { () async throws(ClientError) in
            try await self.client.data(for: request, delegate: delegate)
        }
        #expect(fault == .authenticationFailed(.cancelled))
    }

    @Test func `nobody answers: the 401 is the response, with its body`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate()
        let (data, response) = try await self.client.data(for: place.get("/basic"), delegate: delegate)
        #expect(response.statusCode == 401)
        #expect(data == Data("xxxxxxx".utf8))
        #expect(delegate.challenges.count == 1)
        #expect(try await self.client.status(place.get("/basic")) == 401)
    }

    @Test func `the strongest scheme comes first, and a rejected one makes way for the next`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate(challenged: { challenge in
            challenge.protectionSpace.scheme == .digest
                ? .rejectProtectionSpace : .useCredential(Account.albert.credential)
        })
        #expect(try await self.client.status(place.get("/several", ["by": "basic"]), delegate: delegate) == 200)
        #expect(delegate.schemes == [.digest, .basic])
        let first = SteeringDelegate(.albert)
        #expect(
            try await Client(configuration: .patient).status(place.get("/several", ["by": "digest"]), delegate: first)
                == 200
        )
        #expect(first.schemes == [.digest])
    }

    @Test func `all rejected: the 401 is the response`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate(challenged: { _ in .rejectProtectionSpace })
        #expect(try await self.client.status(place.get("/several", ["by": "basic"]), delegate: delegate) == 401)
        #expect(delegate.schemes == [.digest, .basic])
        #expect(try await place.seen().count == 1)
    }

    /// Otherwise a server could refuse the proof to get the password.
    @Test func `a password that Digest refused is not shown by Basic`() async throws {
        let place = try await Recorder()
        let request = place.get("/several", ["by": "basic"]).credential(Account.albert.credential)
        #expect(try await self.client.status(request) == 401)
        #expect(try await place.seen().allSatisfy { $0.authorization?.hasPrefix("Basic") != true })
    }

    @Test(arguments: [(AuthenticationScheme.digest, "digest"), (.basic, "basic")])
    func `a request says by which schemes its credential goes`(
        _ scheme: AuthenticationScheme,
        _ by: String
    ) async throws {
        let place = try await Recorder()
        let request = place.get("/several", ["by": by]).credential(Account.albert.credential, schemes: [scheme])
        #expect(try await self.client.status(request) == 200)
        #expect(try await place.seen().count == 2)
    }

    @Test func `the call's delegate is asked before the client's`() async throws {
        let place = try await Recorder()
        let (own, shared) = (SteeringDelegate(.albert), SteeringDelegate(.albert))
        let client = Client(configuration: .patient, delegate: shared)
        #expect(try await client.status(place.get("/basic"), delegate: own) == 200)
        #expect(own.challenges.count == 1 && shared.challenges.isEmpty)
        let silent = SteeringDelegate()
        #expect(
            try await Client(configuration: .patient, delegate: shared).status(place.get("/basic"), delegate: silent)
                == 200
        )
        #expect(silent.challenges.count == 1 && shared.challenges.count == 1)
    }

    @Test func `a delegate sees what would be used without it`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate()
        let request = place.get("/basic").credential(Account.albert.credential)
        #expect(try await self.client.status(request, delegate: delegate) == 200)
        #expect(delegate.challenges.first?.proposedCredential == Account.albert.credential)
    }

    @Test func `a field of the caller's own is his answer to every challenge`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate(.albert)
        let request = place.get("/basic").header(.authorization, "Basic d3Jvbmc6d3Jvbmc=")
        #expect(try await self.client.status(request, delegate: delegate) == 401)
        #expect(delegate.challenges.isEmpty)
        #expect(try await place.seen().count == 1)
    }
}
