// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// An interceptor below the cache that sets a field.
private struct Writing: Interceptor {
    let name: HTTPField.Name
    let value: String

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        var call = call
        call.request = call.request.header(self.name, self.value)
        return try await next.respond(to: call)
    }
}

/// A signer whose field has another value for each request.
private struct Numbering: RequestSigner {
    let count = Flag()

    func fields(signing request: SignableRequest) async throws -> HTTPFields {
        self.count.raise()
        return [.accept: "\(self.count.count)"]
    }
}

@Suite("Cache: fields that stages below it write", .hangLimit)
struct VariationTests {
    private static func scene(
        vary: String?,
        _ change: (inout Client.Configuration) -> Void
    ) -> CacheScene {
        CacheScene(change) { number, request in
            var fields: HTTPFields = [.cacheControl: "max-age=60"]
            if let vary { fields[.vary] = vary }
            return .response(fields: fields, body: "\(number) \(request.fields[.acceptLanguage] ?? "-")")
        }
    }

    /// RFC 9111 §4.1: a cache may use a stored response only if all request fields that `Vary` names match those of the
    /// original request.
    @Test func `a token that Vary names is nobody else's, though the cache does not see it`() async throws {
        let scene = Self.scene(vary: "Authorization") { configuration in
            let origin = Origin(scheme: .http, host: "test")
            configuration.bearer = [BearerAuthentication(for: [origin]) { _ in .init("anna") }]
        }
        #expect(try await scene.get() == "200 1 - network")
        #expect(try await scene.get() == "200 2 - network")
        #expect(try await scene.entryCount() == 0)
    }

    @Test func `a credential of the request is told apart, though its field is written below`() async throws {
        let scene = Self.scene(vary: "Authorization") { _ in }
        func request(_ token: String) -> Request { Request(url: testURL).credential(Credential(token: token)) }
        #expect(try await scene.get(request("anna")) == "200 1 - network")
        #expect(try await scene.get(request("bert")) == "200 2 - network")
        #expect(try await scene.get(request("anna")) == "200 1 - cached 0")
        #expect(try await scene.get() == "200 3 - network")
    }

    @Test func `a delegate's credential that Vary names is told apart, though the request has one, too`() async throws {
        let scene = CacheScene { number, request in
            request.fields[.authorization] == nil
                ? .response(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=x"])
                : .response(fields: [.cacheControl: "max-age=60", .vary: "Authorization"], body: "\(number)")
        }
        let anna = Request(url: testURL).credential(Credential(user: "anna", password: "a"))
        let bert = Credential(user: "bert", password: "b")
        let delegate = AnsweringDelegate(challenged: { _ in .useCredential(bert) })
        for request in [anna, Request(url: testURL)] {
            _ = try await scene.client.data(for: request, delegate: delegate)
            #expect(try await scene.entryCount() == 0)
        }
        // The client sends Bert's credential at once with requests that have none.
        #expect(scene.requests.count == 3)
        #expect(try await scene.get(anna) == "200 5 network")
        #expect(try await scene.get(anna) == "200 5 cached 0")
        #expect(try await scene.get() == "200 6 network")
    }

    @Test(arguments: [true, false])
    func `a field in place of that of the request's credential is told apart`(isToken: Bool) async throws {
        let scene = Self.scene(vary: "Authorization") { configuration in
            if isToken {
                let origin = Origin(scheme: .http, host: "test")
                configuration.bearer = [BearerAuthentication(for: [origin]) { _ in .init("anna") }]
            } else {
                configuration.attemptInterceptors = [Writing(name: .authorization, value: "Bearer anna")]
            }
        }
        let request = Request(.get, "http://bert:x@test/")
        #expect(try await scene.get(request) == "200 1 - network")
        #expect(try await scene.get(request) == "200 2 - network")
        #expect(try await scene.entryCount() == 0)
    }

    @Test(arguments: ["Accept-Language", "accept-language, Accept-Encoding", nil, "Accept-Encoding"])
    func `what an attempt interceptor writes is not taken for what a request brings`(vary: String?) async throws {
        let scene = Self.scene(vary: vary) { configuration in
            configuration.attemptInterceptors = [Writing(name: .acceptLanguage, value: "de")]
        }
        let isStored = vary?.lowercased().contains("language") != true
        #expect(try await scene.get() == "200 1 de network")
        #expect(try await scene.get() == (isStored ? "200 1 de cached 0" : "200 2 de network"))
        #expect(try await scene.entryCount() == (isStored ? 1 : 0))
    }

    @Test func `an entry that a newer answer makes vary by such a field is forgotten`() async throws {
        let scene = CacheScene({ configuration in
            configuration.attemptInterceptors = [Writing(name: .acceptLanguage, value: "de")]
        }) { number, request in
            let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]
            guard request.fields[.ifNoneMatch] != nil else { return .response(fields: fields, body: "\(number)") }
            return .response(.notModified, fields: fields + [.vary: "Accept-Language"])
        }
        #expect(try await scene.get() == "200 1 network")
        scene.advance(61)
        #expect(try await scene.get() == "200 1 revalidated 0")
        #expect(try await scene.entryCount() == 0)
    }

    @Test func `what a signer writes is not taken for what a request brings`() async throws {
        let scene = Self.scene(vary: "Accept") { $0.signer = Numbering() }
        #expect(try await scene.get() == "200 1 - network")
        #expect(try await scene.get() == "200 2 - network")
    }

    @Test func `a field that the caller calls a secret keeps users apart, whatever Vary says`() async throws {
        let scene = Self.scene(vary: nil) { _ in }
        let name = try #require(HTTPField.Name("X-API-Key"))
        func request(_ key: String) -> Request { Request(url: testURL).header(name, key).sensitive(name) }
        #expect(try await scene.get() == "200 1 - network")
        #expect(try await scene.get(request("anna")) == "200 2 - network")
        #expect(try await scene.get(request("bert")) == "200 3 - network")
        #expect(try await scene.get(request("anna")) == "200 2 - cached 0")
        #expect(try await scene.get() == "200 1 - cached 0")
    }
}
