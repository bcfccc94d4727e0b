// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// A server that answers 401 to all requests without Albert's Basic credential.
private let guarded: ScriptedServer.Answer = { request in
    guard request.fields[.authorization] == "Basic YWxiZXJ0OmVpbnN0ZWlu" else {
        return .response(.unauthorized, fields: [.wwwAuthenticate: #"Basic realm="birds""#], body: "who?")
    }
    return .response(body: "welcome")
}

private let albert = Credential(user: "albert", password: "einstein")

@Suite("Delegates: questions", .hangLimit)
struct QuestionTests {
    @Test func `the call's delegate is asked first, and the client's where that is not concerned`() async throws {
        let order = Mutex<[String]>([])
        let shared = AnsweringDelegate(challenged: { _ in
            order.withLock { $0.append("client") }
            return .useCredential(albert)
        })
        let own = AnsweringDelegate(challenged: { _ in
            order.withLock { $0.append("call") }
            return nil
        })
        let scene = ClientScene(delegate: shared, answer: guarded)
        let (data, response) = try await scene.client.data(from: testURL, delegate: own)
        #expect(String(decoding: data, as: UTF8.self) == "welcome")
        #expect(response.isSuccess)
        #expect(order.withLock { $0 } == ["call", "client"])
    }

    @Test func `where the call's delegate answers, the client's is not asked`() async throws {
        let shared = RecordingDelegate { _ in .cancel }
        let own = RecordingDelegate { _ in .useCredential(albert) }
        let scene = ClientScene(delegate: shared, answer: guarded)
        let (_, response) = try await scene.client.data(from: testURL, delegate: own)
        #expect(response.isSuccess)
        #expect(own.events.contains(.challenged(.basic)))
        #expect(!shared.events.contains(.challenged(.basic)))
    }

    @Test func `where nobody answers, the 401 is the response, whole`() async throws {
        let scene = ClientScene(delegate: RecordingDelegate(), answer: guarded)
        let (data, response) = try await scene.client.data(from: testURL, delegate: RecordingDelegate())
        #expect(response.statusCode == 401)
        #expect(String(decoding: data, as: UTF8.self) == "who?")
    }

    @Test func `a refused credential is counted, and proposed no more`() async throws {
        let counts = Mutex<[Int]>([])
        let scene = ClientScene(answer: guarded)
        let delegate = AnsweringDelegate(challenged: { challenge in
            #expect(challenge.proposedCredential == nil)
            #expect(challenge.response?.status.code == 401)
            counts.withLock { $0.append(challenge.previousFailureCount) }
            if challenge.previousFailureCount == 2 { return .useCredential(albert) }
            return .useCredential(Credential(user: "albert", password: "\(challenge.previousFailureCount)"))
        })
        let (_, response) = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(response.isSuccess)
        #expect(counts.withLock { $0 } == [0, 1, 2])
    }

    @Test func `a delegate that is wrong for ever ends with the 401`() async throws {
        let asked = Flag()
        let scene = ClientScene(answer: guarded)
        let delegate = AnsweringDelegate(challenged: { challenge in
            asked.raise()
            return .useCredential(Credential(user: "x", password: "\(challenge.previousFailureCount)"))
        })
        let (_, response) = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(response.statusCode == 401)
        #expect(asked.count == 16)
    }

    @Test func `a cancelled challenge ends the call`() async throws {
        let scene = ClientScene(answer: guarded)
        let delegate = AnsweringDelegate(challenged: { _ in .cancel })
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(from: testURL, delegate: delegate)
        }
        guard case .authenticationFailed(.cancelled, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.response?.status.code == 401)
    }

    @Test func `rejecting a protection space goes on to the next scheme`() async throws {
        let schemes = Mutex<[AuthenticationScheme]>([])
        let scene = ClientScene { request in
            guard request.fields[.authorization]?.hasPrefix("Basic") == true else {
                let challenges = #"Basic realm="birds", Digest realm="birds", nonce="n", qop="auth", Bearer"#
                return .response(.unauthorized, fields: [.wwwAuthenticate: challenges])
            }
            return .response(body: "welcome")
        }
        let delegate = AnsweringDelegate(challenged: { challenge in
            let scheme = challenge.protectionSpace.scheme
            schemes.withLock { $0.append(scheme) }
            return scheme == .basic ? .useCredential(albert) : .rejectProtectionSpace
        })
        let (_, response) = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(response.isSuccess)
        #expect(schemes.withLock { $0 } == [.bearer, .digest, .basic])
    }

    @Test func `a session's credential is sent unasked the next time, one for a single answer is not`() async throws {
        for (persistence, count) in [(Credential.Persistence.forSession, 3), (.none, 4)] {
            let scene = ClientScene(answer: guarded)
            let credential = Credential(user: "albert", password: "einstein", persistence: persistence)
            let delegate = AnsweringDelegate(challenged: { _ in .useCredential(credential) })
            for _ in 0..<2 {
                let (_, response) = try await scene.client.data(from: testURL, delegate: delegate)
                #expect(response.isSuccess)
            }
            #expect(scene.server.requests.count == count)
        }
    }

    @Test func `a redirect is asked about, and the new request may be changed`() async throws {
        let scene = ClientScene { request in
            request.target == "/"
                ? .response(.found, fields: [.location: "/there"])
                : .response(body: "\(request.target) \(request.fields[.accept] ?? "")")
        }
        let delegate = AnsweringDelegate(redirected: { request, response in
            #expect(response.statusCode == 302)
            #expect(request.url.path == "/there")
            return .follow(request.query("page", 2).header(.accept, "text/plain"))
        })
        let (data, response) = try await scene.client.data(from: testURL, delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "/there?page=2 text/plain")
        #expect(response.redirects.map(\.statusCode) == [302])
        #expect(response.redirects.map(\.url) == [testURL])
        let stop = AnsweringDelegate(redirected: { _, _ in .stop })
        #expect(try await scene.client.data(from: testURL, delegate: stop).1.statusCode == 302)
        let cancel = AnsweringDelegate(redirected: { _, _ in .cancel })
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(from: testURL, delegate: cancel)
        }
        #expect(error?.isCancellation == true)
    }

    @Test func `a stream that must be sent again is asked for anew`() async throws {
        let scene = ClientScene { request in
            guard request.fields[.authorization] != nil else {
                return .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"])
            }
            return .response(bytes: request.body)
        }
        let stream = { @Sendable (text: String) in
            AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array(text.utf8))
                continuation.finish()
            }
        }
        var request = Request(.post, "http://test/")
        request.options.expectsContinue = false
        let delegate = AnsweringDelegate(
            challenged: { _ in .useCredential(albert) },
            body: { .stream(stream("again")) }
        )
        let (data, _) = try await scene.client.upload(for: request, from: stream("once"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "again")
        let error = await failure { () async throws(ClientError) in
            try await scene.client.upload(
                for: request.credential(albert),
                from: stream("once"),
                delegate: nil
            )
        }
        // The client already sends the credential without a challenge, so it need not send the body twice.
        #expect(error == nil)
    }

    @Test func `a stream that nobody can give again ends the call`() async throws {
        let scene = ClientScene(answer: guarded)
        let stream = AsyncStream<[UInt8]> { $0.finish() }
        var request = Request(.post, "http://test/").credential(albert)
        request.options.expectsContinue = false
        let error = await failure { () async throws(ClientError) in
            try await scene.client.upload(for: request, from: stream)
        }
        guard case .uploadFailed(.notReplayable, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
