// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests that the client keeps data of a host once for each address (RFC 5952), and once for each zone (RFC 6874).
@Suite("IPv6 hosts", .hangLimit)
struct IPv6HostTests {
    private static let forms = ["[0:0:0:0:0:0:0:1]", "[::1]", "[0::0001]", "[::0.0.0.1]"]

    @Test func `all forms of an address share connections, cookies and credentials, and have one Host`() async throws {
        var configuration = Client.Configuration()
        configuration.cookieStore = MemoryCookieStore()
        let scene = ClientScene(configuration) { request in
            guard request.fields[.authorization] != nil else {
                return .response(
                    .unauthorized,
                    fields: [.wwwAuthenticate: "Basic realm=\"r\"", .setCookie: "a=1; Path=/"]
                )
            }
            return .response()
        }
        let credential = Credential(user: "u", password: "p")
        for form in Self.forms {
            let request = Request(.get, "http://\(form):8080/").credential(credential)
            #expect(try await scene.client.data(for: request).1.status == .ok)
        }
        #expect(scene.connector.endpoints == [.host("::1", port: 8080)])
        let requests = scene.server.requests
        #expect(Set(requests.flatMap(\.hosts)) == ["[::1]:8080"])
        #expect(requests.map { $0.fields[.cookie] } == [nil] + Array(repeating: "a=1", count: Self.forms.count))
        // The client knows the protection space after the first challenge.
        #expect(requests.count { $0.fields[.authorization] == nil } == 1)
    }

    @Test func `all forms of an address share what is stored`() async throws {
        let scene = CacheScene { number, _ in .response(fields: [.cacheControl: "max-age=60"], body: "\(number)") }
        var words: [String] = []
        for form in Self.forms { words.append(try await scene.get(Request(.get, "http://\(form)/x"))) }
        #expect(words == ["200 1 network"] + Array(repeating: "200 1 cached 0", count: Self.forms.count - 1))
    }

    // MARK: Zones

    @Test func `the connector is given the zone, and the server is not`() async throws {
        let scene = ClientScene { _ in .response() }
        let (_, response) = try await scene.client.data(for: Request(.get, "http://[FE80:0::1%25lo]:81/a"))
        #expect(scene.connector.endpoints == [.host("fe80::1%lo", port: 81)])
        #expect(scene.server.requests.map(\.hosts) == [["[fe80::1]:81"]])
        #expect(response.statusCode == 200)
    }

    @Test func `certificates are judged without the zone`() async throws {
        let server = ScriptedServer { _ in .response() }
        let connector = MemoryConnector.tested(
            server,
            clock: ManualClock(),
            trust: { .init(host: $0, chain: [Array($0.utf8)]) }
        )
        let client = Client(configuration: .patient.tested, connector: connector)
        let (_, response) = try await client.data(for: Request(.get, "https://[fe80::1%25lo]/"))
        #expect(response.tls?.trust.host == "fe80::1")
        #expect(server.requests.map(\.hosts) == [["[fe80::1]"]])
    }

    @Test func `each zone has connections and stored responses of its own`() async throws {
        let scene = CacheScene { number, _ in .response(fields: [.cacheControl: "max-age=60"], body: "\(number)") }
        let urls = ["http://[fe80::1%25a]/", "http://[fe80::1%25b]/", "http://[fe80::1]/"]
        for (index, url) in urls.enumerated() {
            #expect(try await scene.get(Request(.get, url)) == "200 \(index + 1) network")
        }
        for (index, url) in urls.enumerated() {
            #expect(try await scene.get(Request(.get, url)) == "200 \(index + 1) cached 0")
        }
        let endpoints = scene.scene.connector.endpoints
        #expect(endpoints == [.host("fe80::1%a", port: 80), .host("fe80::1%b", port: 80), .host("fe80::1", port: 80)])
    }

    @Test(.http1Only("the proxy reads HTTP/1.1"), arguments: ["http", "https"])
    func `a proxy is not told the zone`(_ scheme: String) async throws {
        var configuration = Client.Configuration()
        configuration.proxy = .proxy(Proxy(.http, host: "proxy", port: 80))
        let scene = ClientScene(configuration) { _ in .response(.forbidden) }
        _ = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, "\(scheme)://[fe80::1%25lo]:81/"))
        }
        #expect(scene.server.requests.map(\.target) == [scheme == "http" ? "http://[fe80::1]:81/" : "[fe80::1]:81"])
        #expect(scene.server.requests.map(\.hosts) == [["[fe80::1]:81"]])
    }

    @Test func `an exception from the proxy counts in every zone`() async throws {
        var configuration = Client.Configuration()
        configuration.proxy = .proxy(Proxy(.http, host: "proxy", port: 80), except: "fe80::1, fe80::/10")
        let scene = ClientScene(configuration) { _ in .response() }
        for url in ["http://[fe80::1%25lo]/", "http://[fe80::2%25lo]/"] {
            _ = try await scene.client.data(for: Request(.get, url))
        }
        #expect(scene.connector.endpoints == [.host("fe80::1%lo", port: 80), .host("fe80::2%lo", port: 80)])
    }
}
