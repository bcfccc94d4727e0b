// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("TLS", .hangLimit)
struct TLSTests {
    private func text(_ client: Client, _ url: String) async throws -> String {
        String(decoding: try await client.data(for: Request(.get, url)).0, as: UTF8.self)
    }

    @Test func `HTTP/1.1 is negotiated over TLS 1.3, with the server's name`() async throws {
        let nginx = try await Nginx.shared
        let text = try await self.text(nginx.makeClient(), nginx.url(.https, "/tls"))
        #expect(text == "TLSv1.3 http/1.1 localhost")
    }

    @Test func `an address is not sent as the server's name, and is checked all the same`() async throws {
        let nginx = try await Nginx.shared
        let text = try await self.text(nginx.makeClient(), nginx.url(.https, "/tls", host: "127.0.0.1"))
        #expect(text == "TLSv1.3 http/1.1 ")
    }

    @Test func `roots may be given as text`() async throws {
        let nginx = try await Nginx.shared
        let pem = try String(contentsOf: nginx.folder.appending(path: "root.pem"), encoding: .utf8)
        let client = nginx.makeClient { $0.tls.trust = .only([.pem(pem)]) }
        #expect(try await self.text(client, nginx.url(.https, "/tls")).hasPrefix("TLSv1.3"))
    }

    @Test func `roots may be given besides those of the system`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.tls.trust = .system(adding: [nginx.root("root")]) }
        #expect(try await self.text(client, nginx.url(.https, "/tls")).hasPrefix("TLSv1.3"))
    }

    /// RFC 9112 §9.8: if the connection ends a body without a closure alert, an attacker may have cut the body off.
    @Test func `a body that is cut below TLS is truncated`() async throws {
        let server = try await WebSocketPeer.websockets.server
        var configuration = Client.Configuration.patient
        configuration.tls.trust = .system(adding: [server.root])
        let client = Client(configuration: configuration)
        let request = Request(.get, "https" + server.getSecurely("/cut").url.absoluteString.dropFirst("wss".count))
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .truncated(received: 14, expected: nil))
    }

    @Test(arguments: [false, true])
    func `an unknown root is not trusted`(_ trustsSystemRoots: Bool) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient {
            $0.tls.trust = trustsSystemRoots ? .system : .only([nginx.root("stranger")])
        }
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: Request(.get, nginx.url(.https, "/tls")))
        }
        #expect(error?.fault == .tlsFailed(.unknownRoot(issuer: "CN=Tern test root")))
        #expect(error?.context.phase == .tls)
        #expect(error?.context.origin == "https://localhost:\(nginx.port(.tls))")
    }

    @Test(
        arguments: [
            (Nginx.Port.expired, "localhost", Fault.tlsFailed(.certificateExpired())),
            (.early, "localhost", .tlsFailed(.certificateNotYetValid())),
            (.selfSigned, "localhost", .tlsFailed(.selfSigned)),
            (.wrongHost, "localhost", .tlsFailed(.wrongHost())),
            (.wrongHost, "127.0.0.1", .tlsFailed(.wrongHost())),
            (.plain, "localhost", .tlsFailed(.plainHTTP)),
        ]
    )
    func `a bad certificate is refused`(_ port: Nginx.Port, _ host: String, _ expected: Fault) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let error = await failure { () async throws(ClientError) in
            try await client.data(for: Request(.get, nginx.url(.https, port, host: host)))
        }
        #expect(error?.fault == expected)
        #expect(error?.context.phase == .tls)
        #expect(error?.isRetryable == false)
    }

    @Test func `a refusal names the host, and gives the names or the date`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let rows = [
            (Nginx.Port.wrongHost, "\"elsewhere.example\""), (.expired, "20"), (.early, "20"), (.plain, "HTTPS"),
        ]
        for (port, part) in rows {
            let error = await failure { () async throws(ClientError) in
                try await client.data(for: Request(.get, nginx.url(.https, port)))
            }
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("localhost:\(nginx.port(port))"), "\(text)")
            #expect(text.contains(part), "\(text)")
        }
        let wrong = await failure { () async throws(ClientError) in
            try await client.data(for: Request(.get, nginx.url(.https, .wrongHost)))
        }
        guard case .tlsFailed(.wrongHost(let names), _)? = wrong else { throw try #require(wrong) }
        #expect(names == ["elsewhere.example", "127.0.0.9"])
    }

    @Test func `a server that does not answer the handshake is given up`() async throws {
        // The raw server waits for the end of a request head, which never arrives.
        let server = try await RawServer()
        let request = Request(.get, "https://127.0.0.1:\(server.port)/")
            .timeouts(Timeouts.patient(connect: .milliseconds(200)))
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: request)
        }
        #expect(fault == .timedOut(.connect))
        try await server.isLeft()
    }

    @Test func `http to a port of TLS is answered with 400`() async throws {
        let nginx = try await Nginx.shared
        let (_, response) = try await nginx.makeClient().data(for: Request(.get, nginx.url(.http, .tls)))
        #expect(response.status == .badRequest)
    }

    @Test func `a version that is too old is refused`() async throws {
        let nginx = try await Nginx.shared
        #expect(try await self.text(nginx.makeClient(), nginx.url(.https, .old)) == "TLSv1.2")
        let strict = nginx.makeClient { $0.tls.minimumVersion = .tls13 }
        #expect(try await self.text(strict, nginx.url(.https, "/tls")).hasPrefix("TLSv1.3"))
        let fault = await fault { () async throws(ClientError) in
            try await strict.data(for: Request(.get, nginx.url(.https, .old)))
        }
        #expect(fault == .tlsFailed(.versionNotSupported))
    }

    @Test(arguments: [CertificateSource.pemFile(path: "/nowhere"), .pem("nonsense"), .der([1, 2, 3])])
    func `a root that cannot be read is reported`(_ root: CertificateSource) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.tls.trust = .only([root]) }
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: Request(.get, nginx.url(.https, "/tls")))
        }
        #expect(fault == .tlsMisconfigured)
    }
}
