// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import TernTransport
import Testing

@testable import Tern

@Suite("Redirects: one step")
struct RedirectStepTests {
    private static func response(_ status: Int, _ locations: [[UInt8]]) throws -> Response {
        var fields: HTTPFields = [.contentLength: "0"]
        for location in locations { fields.append(HTTPField(name: .location, lenientValue: location)) }
        let url = try #require(URL(string: "http://here/"))
        return Response(url: url, status: HTTPResponse.Status(code: status, reasonPhrase: "Moved"), fields: fields)
    }

    private static func step(
        _ status: Int = 302,
        _ locations: [String],
        from request: Request = Request(.get, "https://here.test/a/b?c=d#part"),
        isHandshake: Bool = false
    ) throws -> RedirectStep? {
        try self.step(status, bytes: locations.map { Array($0.utf8) }, from: request, isHandshake: isHandshake)
    }

    private static func step(
        _ status: Int = 302,
        bytes locations: [[UInt8]],
        from request: Request = Request(.get, "https://here.test/a/b?c=d#part"),
        isHandshake: Bool = false
    ) throws -> RedirectStep? {
        try RedirectStep(
            self.response(status, locations),
            of: request,
            from: request.destination(),
            isHandshake: isHandshake
        )
    }

    @Test(
        "a redirect keeps the method or changes it to GET (RFC 9110 §15.4)",
        arguments: [
            (301, HTTPRequest.Method.get, HTTPRequest.Method.get), (301, .head, .head), (301, .post, .get),
            (301, .put, .put), (302, .post, .get), (302, .put, .put), (302, .delete, .delete),
            (303, .get, .get), (303, .head, .head), (303, .post, .get), (303, .put, .get), (303, .delete, .get),
            (307, .post, .post), (307, .put, .put), (308, .post, .post), (308, .patch, .patch),
        ]
    )
    func method(_ status: Int, _ before: HTTPRequest.Method, _ after: HTTPRequest.Method) throws {
        let request = Request(before, "http://here.test/")
            .header(.contentType, "text/plain").header(.contentLanguage, "en").header(.accept, "*/*")
            .header(.trailer, "ETag")
            .body(.data(Data("x".utf8)))
        let next = try #require(try Self.step(status, ["/there"], from: request)).request
        #expect(next.method == after)
        #expect((next.body != nil) == (before == after))
        #expect(next.fields.contains(.contentType) == (before == after))
        #expect(next.fields.contains(.contentLanguage) == (before == after))
        #expect(next.fields.contains(.trailer) == (before == after))
        #expect(next.fields[.accept] == "*/*")
    }

    @Test(
        "the client resolves a Location, which inherits the fragment (RFC 9110 §10.2.2)",
        arguments: [
            ("/x", "https://here.test/x#part"), ("x", "https://here.test/a/x#part"),
            ("?q=1", "https://here.test/a/b?q=1#part"), ("../x", "https://here.test/x#part"),
            ("#other", "https://here.test/a/b?c=d#other"), ("//there.test/x", "https://there.test/x#part"),
            ("http://there.test:8080/x#y", "http://there.test:8080/x#y"),
            ("/My%20File (1).pdf", "https://here.test/My%20File%20(1).pdf#part"),
            ("/caf\u{E9}%20x", "https://here.test/caf%C3%A9%20x#part"),
            ("x?a[0]=%20", "https://here.test/a/x?a%5B0%5D=%20#part"),
            ("it's?a='b'%27%zz#c'd", "https://here.test/a/it's?a=%27b%27%27%25zz#c'd"),
            ("/100%", "https://here.test/100%25#part"), ("//there.test/%2F|", "https://there.test/%2F%7C#part"),
            ("/a\\b%20", "https://here.test/a%5Cb%20#part"),
            ("https://eve:secret@there.test/", "https://there.test/#part"),
        ]
    )
    func location(_ location: String, _ url: String) throws {
        let step = try #require(try Self.step(302, [location]))
        #expect(step.request.url.absoluteString == url)
        #expect(step.isSameOrigin == url.hasPrefix("https://here.test/"))
        #expect(step.isInsecure == url.hasPrefix("http:"))
    }

    @Test(
        "the request has the escapes of browsers (WHATWG URL §1.3)",
        arguments: [
            ("x?a[0]=%20", "/a/x?a[0]=%20"), ("it's?a='b'%27%zz#c'd", "/a/it's?a=%27b%27%27%zz"), ("/100%", "/100%"),
            ("http://here.test:80/%2F|", "/%2F|"), ("?q=[", "/a/b?q=["), ("../x[?a=[", "/x%5B?a=["), ("/x", nil),
            ("/a\\b?a=\\", "/a%5Cb?a=\\"),
        ] as [(String, String?)]
    )
    func target(_ location: String, _ target: String?) throws {
        #expect(try Self.step(302, [location])?.target == target)
    }

    @Test func `a Location need not be UTF-8`() throws {
        for (bytes, target) in [
            ([0xE9], "/caf%E9"), ([0xC3, 0xA9], "/caf%C3%A9"), ([0xE9, 0x20, 0xFF], "/caf%E9%20%FF"),
        ] {
            let step = try #require(try Self.step(bytes: [Array("/caf".utf8) + bytes.map { UInt8($0) }]))
            #expect(try step.request.destination().target == target)
        }
        #expect(throws: RedirectFailure.self) { try Self.step(bytes: [Array("//h".utf8) + [0xE9]]) }
    }

    @Test(
        "the client refuses a Location that it cannot follow",
        arguments: [
            "javascript:alert(1)", "file:///etc/passwd", "mailto:a@b", "http://", "http://good.example\\@evil.example/",
            "//good.example\\@evil.example/", "https://here.test\\.evil.example/", "http:\\\\evil.example/",
            "http://a@b@c/", "ws://there.test/s", "wss://here.test/s",
        ]
    )
    func unfollowable(_ location: String) {
        #expect(throws: RedirectFailure.self) { try Self.step(302, [location]) }
    }

    @Test(
        "a redirect may lead a handshake to a WebSocket URL (RFC 6455 §3)",
        arguments: [
            ("wss://there.test/s", "https://there.test/s"), ("ws://there.test/s", "http://there.test/s"),
            ("http://there.test/s", "http://there.test/s"),
        ]
    )
    func handshake(_ location: String, _ url: String) throws {
        let request = Request(.get, "https://here.test/")
        let step = try #require(try Self.step(302, [location], from: request, isHandshake: true))
        #expect(step.request.url.absoluteString == url)
    }

    @Test func `an empty Location names no place`() throws {
        #expect(try Self.step(302, [""]) == nil)
        #expect(try Self.step(302, ["", ""]) == nil)
        #expect(try Self.step(302, ["", "/x"])?.request.url.path == "/x")
    }

    @Test(
        "the client sends the caller's Host only to its origin (RFC 9112 §3.2)",
        arguments: [
            ("https://here.test/x", true), ("/x", true), ("https://there.test/x", false), ("http://here.test/x", false),
            ("https://here.test:8443/x", false),
        ]
    )
    func host(_ location: String, _ isKept: Bool) throws {
        let request = Request(.get, "https://here.test/").header("Host", "own.test")
        for status in [302, 303, 307] {
            let next = try #require(try Self.step(status, [location], from: request)).request
            let hosts = next.fields.filter { $0.name.canonicalName == "host" }.map(\.value)
            #expect(hosts == (isKept ? ["own.test"] : []))
        }
    }

    @Test func `two places are no place, the same place twice is one`() throws {
        #expect(throws: RedirectFailure.invalidLocation("the response has more than one Location field")) {
            try Self.step(302, ["/a", "/b"])
        }
        #expect(try Self.step(302, ["/a", "/a"]) != nil)
    }

    @Test(
        "the client sends secrets only to their origin",
        arguments: [
            ("https://here.test/x", true), ("https://here.test:443/x", true), ("https://HERE.test/x", true),
            ("http://here.test/x", false), ("https://here.test:8443/x", false), ("https://there.test/x", false),
            ("https://sub.here.test/x", false), ("https://here.test.evil.test/x", false),
        ]
    )
    func secrets(_ location: String, _ isSameOrigin: Bool) throws {
        let key = try #require(HTTPField.Name("X-API-Key"))
        let marked = try #require(HTTPField.Name("X-Marked"))
        var request = Request(.get, "https://here.test/")
            .header(.authorization, "Basic x").header(.cookie, "a=b").header(.proxyAuthorization, "Basic y")
            .header(key, "k").sensitive(key).header(.accept, "text/plain")
            .credential(Credential(user: "a", password: "b")).unixSocket(path: "/run/x")
        var field = HTTPField(name: marked, value: "m")
        field.indexingStrategy = .disallow
        request.fields.append(field)
        let next = try #require(try Self.step(307, [location], from: request)).request
        for name in [HTTPField.Name.authorization, .cookie, .proxyAuthorization, key, marked] {
            #expect(next.fields.contains(name) == isSameOrigin, "\(name)")
        }
        #expect((next.options.credential != nil) == isSameOrigin)
        #expect((next.options.unixSocketPath != nil) == isSameOrigin)
        #expect(next.fields[.accept] == "text/plain")
    }
}
