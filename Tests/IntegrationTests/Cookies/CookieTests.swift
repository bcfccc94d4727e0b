// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Cookies of httpbin", .hangLimit)
struct CookieTests {
    private struct Jar: Decodable {
        var cookies: [String: String]
    }

    private static func client(_ store: any CookieStore) -> Client {
        var configuration = Client.Configuration.patient
        configuration.cookieStore = store
        return Client(configuration: configuration)
    }

    /// Returns the cookies that httpbin received, and the number of redirects before that.
    private static func cookies(
        _ client: Client,
        _ url: String
    ) async throws -> (cookies: [String: String], redirectCount: Int) {
        let (data, response) = try await client.data(for: Request(.get, url))
        return (try JSONDecoder().decode(Jar.self, from: data).cookies, response.redirects.count)
    }

    @Test func `a redirect that sets cookies leads to a page that sees them, and they stay`() async throws {
        let bin = try await HTTPBin.shared
        let store = MemoryCookieStore()
        let client = Self.client(store)
        let set = try await Self.cookies(client, bin.url("/cookies/set?a=1&b=two"))
        #expect(set.cookies == ["a": "1", "b": "two"])
        #expect(set.redirectCount == 1)
        #expect(try await Self.cookies(client, bin.url("/cookies")).cookies == ["a": "1", "b": "two"])
        #expect(store.cookies.map(\.domain) == ["127.0.0.1", "127.0.0.1"])
        #expect(store.cookies.allSatisfy { $0.isSessionCookie && $0.isHostOnly && $0.path == "/" })
    }

    @Test func `a cookie is deleted by a date in the past`() async throws {
        let bin = try await HTTPBin.shared
        let client = Self.client(MemoryCookieStore())
        _ = try await Self.cookies(client, bin.url("/cookies/set/a/1"))
        _ = try await Self.cookies(client, bin.url("/cookies/set/b/2"))
        #expect(try await Self.cookies(client, bin.url("/cookies/delete?a")).cookies == ["b": "2"])
        #expect(try await Self.cookies(client, bin.url("/cookies")).cookies == ["b": "2"])
    }

    @Test func `a value comes back as it was set`() async throws {
        let bin = try await HTTPBin.shared
        let client = Self.client(MemoryCookieStore())
        let set = try await Self.cookies(client, bin.url("/cookies/set/a/x%20y%2C%3Dz"))
        #expect(set.cookies == ["a": "x y,=z"])
    }

    @Test func `each host has its own, on one port`() async throws {
        let bin = try await HTTPBin.shared
        let client = Self.client(MemoryCookieStore())
        let other = bin.url("/cookies").replacing("127.0.0.1", with: "localhost")
        _ = try await Self.cookies(client, bin.url("/cookies/set/a/1"))
        #expect(try await Self.cookies(client, other).cookies.isEmpty)
        _ = try await Self.cookies(client, bin.url("/cookies/set/b/2").replacing("127.0.0.1", with: "localhost"))
        #expect(try await Self.cookies(client, other).cookies == ["b": "2"])
        #expect(try await Self.cookies(client, bin.url("/cookies")).cookies == ["a": "1"])
        // One call goes to the other server and back; each request has the cookies of its own server.
        let there = Request(.get, bin.url("/redirect-to")).query("url", other)
        let (data, _) = try await client.data(for: there)
        #expect(try JSONDecoder().decode(Jar.self, from: data).cookies == ["b": "2"])
    }

    @Test func `a store in a file survives its client`() async throws {
        let bin = try await HTTPBin.shared
        let folder = try TemporaryFolder()
        let first = try await FileCookieStore(file: folder.file("cookies"), keepsSession: true)
        _ = try await Self.cookies(Self.client(first), bin.url("/cookies/set/a/1"))
        try await first.flush()
        let second = try await FileCookieStore(file: folder.file("cookies"), keepsSession: true)
        #expect(try await Self.cookies(Self.client(second), bin.url("/cookies")).cookies == ["a": "1"])
    }

    @Test func `without a store nothing is kept, and a field of one's own arrives`() async throws {
        let bin = try await HTTPBin.shared
        let client = Client(configuration: .patient)
        #expect(try await Self.cookies(client, bin.url("/cookies/set/a/1")).cookies.isEmpty)
        let own = Request(.get, bin.url("/cookies")).header(.cookie, "mine=1")
        let (data, _) = try await client.data(for: own)
        #expect(try JSONDecoder().decode(Jar.self, from: data).cookies == ["mine": "1"])
    }
}
