// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Base URL", .hangLimit)
struct BaseURLTests {
    private func configuration(_ base: String) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.baseURL = URL(string: base)
        return configuration
    }

    @Test(arguments: [
        ("users/7", "http://test/v1/users/7"), ("/users/7", "http://test/users/7"), ("../v2/x", "http://test/v2/x"),
        ("../../../x", "http://test/x"), ("?page=2", "http://test/v1/?page=2"), (".", "http://test/v1/"),
        ("users/?q=%2F#f", "http://test/v1/users/?q=%2F#f"), ("a/./b/../c", "http://test/v1/a/c"),
        ("http://other/x", "http://other/x"), ("https:x", "https:x"), ("a%2Fb", "http://test/v1/a%2Fb"),
        ("a[0]%20b", "http://test/v1/a%5B0%5D%20b"), ("?a[0]=%20", "http://test/v1/?a%5B0%5D=%20"),
    ])
    func `a reference is resolved, with or without a slash at the end of the base`(
        reference: String,
        expected: String
    ) throws {
        for base in ["http://test/v1", "http://test/v1/", "http://test/v1?k=1", "http://test/v1/#f"] {
            let resolved = try self.configuration(base).resolve(Request(.get, reference))
            #expect(resolved.url.absoluteString == expected)
        }
    }

    /// The examples of RFC 3986 §5.4, with a folder as the base.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/#s"), ("g#s", "http://a/b/c/g#s"),
        ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
    func `§5.4 the examples`(reference: String, expected: String) throws {
        let resolved = try self.configuration("http://a/b/c/").resolve(Request(.get, reference))
        #expect(resolved.url.absoluteString == expected)
    }

    @Test func `a reference does not lead to another host`() async {
        let scene = ClientScene(self.configuration("http://test/v1")) { _ in .response() }
        for reference in ["//other/x", "//user@other", "///x"] {
            let error = await failure { () async throws(ClientError) in
                try await scene.client.data(for: Request(.get, reference))
            }
            guard case .invalidRequest(.missingScheme, _)? = error else {
                Issue.record("\(reference): \(String(describing: error))")
                continue
            }
        }
        #expect(scene.connector.attemptCount == 0)
    }

    @Test func `every verb resolves, and modifiers work before it`() async throws {
        let scene = ClientScene(self.configuration("http://test/v1")) { .response(body: $0.target) }
        let request = Request(.get, "users").pathSegment(7).pathSegment("a b").query("page", 2)
        #expect(try await scene.client.data(for: request).0 == Data("/v1/users/7/a%20b?page=2".utf8))
        let url = try #require(URL(string: "x"))
        #expect(try await scene.client.data(from: url).0 == Data("/v1/x".utf8))
        #expect(try await scene.client.data(from: url).1.url.absoluteString == "http://test/v1/x")
        #expect(try await scene.client.upload(for: Request(.post, "y"), from: Data()).0 == Data("/v1/y".utf8))
    }

    @Test func `a request that was refused stays so`() async throws {
        let requests = [
            Request(.delete, "users").path(".."), Request(.delete, "users").path("a/."),
            Request(.delete, "users").header(.accept, "a\n"), Request(.get, "users").query([1]),
        ]
        for request in requests {
            let problem = try #require(request.problem)
            #expect(try self.configuration("http://test/v1").resolve(request).problem == problem)
            let scene = ClientScene(self.configuration("http://test/v1")) { _ in .response() }
            let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
            guard case .invalidRequest(problem, _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(scene.connector.attemptCount == 0)
        }
    }

    @Test func `without a base a reference is refused`() async {
        let scene = ClientScene { _ in .response() }
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: Request(.get, "users/7"))
        }
        guard case .invalidRequest(.relativeURL, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
