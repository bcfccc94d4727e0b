// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernConnections
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Strict transport (RFC 6797)", .hangLimit)
struct StrictTransportTests {
    /// A client with a store for strict transport, and a server whose certificates get a given evaluation.
    private struct Scene {
        let store = MemoryStrictTransportStore()
        let clock = ManualClock()
        let connector: MemoryConnector
        let client: Client

        init(
            _ evaluation: TLSFailure? = nil,
            isVerified: Bool = true,
            field: String = "max-age=100; includeSubDomains",
            cache: (any CacheStore)? = nil,
            delegate: (any TaskDelegate)? = nil
        ) {
            self.connector = MemoryConnector.tested(
                clock: self.clock,
                trust: {
                    let verified: [[UInt8]] = evaluation == nil && isVerified ? [[1, 2, 3]] : []
                    return ServerTrust(host: $0, chain: [[1, 2, 3]], verifiedChain: verified, evaluation: evaluation)
                },
                answer: { request in
                    switch request.target {
                    case "/away": .response(.found, fields: [.location: "http://test/"])
                    case "/silent": .response(body: "hello")
                    default:
                        .response(
                            fields: [.strictTransportSecurity: field, .cacheControl: "max-age=1000"],
                            body: "hello"
                        )
                    }
                }
            )
            var configuration = Client.Configuration()
            configuration.strictTransport = self.store
            configuration.cache = cache
            self.client = Client(
                configuration: configuration.tested,
                delegate: delegate,
                connector: self.connector,
                clock: self.clock
            )
        }

        func url(_ text: String) async throws -> String {
            try await self.client.data(for: Request(.get, text)).1.url.absoluteString
        }
    }

    @Test(
        "the client changes http to https before it connects",
        arguments: [
            ("http://test/a?b", "https://test/a?b", 443), ("http://test:80/", "https://test:443/", 443),
            ("http://test:8080/", "https://test:8080/", 8080), ("HTTP://low.TEST/", "https://low.TEST/", 443),
            ("http://elsewhere/", "http://elsewhere/", 80),
        ]
    )
    func upgrade(_ from: String, _ to: String, _ port: Int) async throws {
        let scene = Scene()
        _ = try await scene.url("https://test/")
        #expect(try await scene.url(from) == to)
        #expect(scene.connector.endpoints.last?.port == port)
    }

    @Test func `8.1: a server whose certificates nothing verified teaches nothing`() async throws {
        let scene = Scene(isVerified: false)
        _ = try await scene.url("https://test/")
        #expect(try await scene.url("http://test/silent") == "http://test/silent")
    }

    @Test func `8.6: a host that says nothing more stays known until its time is over`() async throws {
        let scene = Scene()
        _ = try await scene.url("https://test/")
        scene.clock.advance(by: .seconds(99))
        #expect(try await scene.url("http://test/silent") == "https://test/silent")
        #expect(try await scene.url("http://test/silent") == "https://test/silent")
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.url("http://test/silent") == "http://test/silent")
    }

    @Test func `what is said over plain HTTP is not believed`() async throws {
        let scene = Scene()
        _ = try await scene.url("http://test/")
        #expect(scene.store.hosts.count == 0)
        #expect(try await scene.url("http://test/") == "http://test/")
    }

    @Test func `nor what is said over TLS that only a delegate approved of`() async throws {
        let delegate = RecordingDelegate { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return nil }
            return .useCredential(Credential(trust: trust))
        }
        let scene = Scene(.selfSigned, delegate: delegate)
        _ = try await scene.url("https://test/")
        #expect(scene.store.hosts.count == 0)
    }

    @Test func `nor what a cache says, whatever was approved of when it was stored`() async throws {
        let delegate = RecordingDelegate { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return nil }
            return .useCredential(Credential(trust: trust))
        }
        let scene = Scene(.selfSigned, cache: MemoryCacheStore(), delegate: delegate)
        for _ in 0..<2 { _ = try await scene.url("https://test/") }
        #expect(scene.connector.attemptCount == 1)
        #expect(scene.store.hosts.count == 0)
    }

    @Test func `an answer from the cache does not begin the age anew`() async throws {
        let scene = Scene(cache: MemoryCacheStore())
        _ = try await scene.url("https://test/")
        let hosts = scene.store.hosts
        #expect(hosts.count == 1)
        scene.clock.advance(by: .seconds(60))
        _ = try await scene.url("https://test/")
        #expect(scene.connector.attemptCount == 1)
        #expect(scene.store.hosts == hosts)
    }

    @Test func `a 401 that is answered teaches as well`() async throws {
        let store = MemoryStrictTransportStore()
        var configuration = Client.Configuration()
        configuration.strictTransport = store
        let scene = ClientScene(configuration) { request in
            request.fields[.authorization] == nil
                ? .response(
                    .unauthorized,
                    fields: [.wwwAuthenticate: "Basic realm=x", .strictTransportSecurity: "max-age=9"]
                )
                : .response()
        }
        let request = Request(.get, "https://test/").credential(Credential(user: "u", password: "p"))
        #expect(try await scene.client.data(for: request).1.statusCode == 200)
        #expect(store.hosts.count == 1)
    }

    @Test func `each hop of a redirect is looked at`() async throws {
        let scene = Scene()
        _ = try await scene.url("https://test/")
        #expect(try await scene.url("http://other.test/away").hasPrefix("https://test/"))
        #expect(scene.connector.endpoints.contains(.host("other.test", port: 443)), "includeSubDomains")
        #expect(!scene.connector.endpoints.contains { $0.port == 80 })
    }

    @Test func `a redirect from https to http is none where the host is asked by https anyway`() async throws {
        let scene = Scene()
        _ = try await scene.url("https://test/")
        #expect(try await scene.url("https://test/away") == "https://test/")
        let fresh = Scene()
        let error = await failure { () async throws(ClientError) in
            try await fresh.client.data(for: Request(.get, "https://test/away"))
        }
        guard case .redirectFailed(.insecure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a client without a store takes no notice`() async throws {
        let connector = MemoryConnector.tested { _ in .response(fields: [.strictTransportSecurity: "max-age=9"]) }
        let client = Client(configuration: .patient.tested, connector: connector)
        #expect(try await client.data(for: Request(.get, "https://test/")).1.statusCode == 200)
        #expect(try await client.data(for: Request(.get, "http://test/")).1.url.scheme == "http")
    }
}

extension ConnectionEndpoint {
    fileprivate var port: Int? {
        if case .host(_, let port) = self { port } else { nil }
    }
}
