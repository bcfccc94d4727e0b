// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import Testing

@Suite("Requests")
struct RequestTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a request is a GET without fields or body by default`() throws {
        let url = try self.url("https://example.com/a")
        for request in [Request(.get, url), Request(url: url), Request(.get, "https://example.com/a")] {
            #expect(request.method == .get)
            #expect(request.url == url)
            #expect(request.fields.isEmpty)
            #expect(request.body == nil)
            #expect(request.options == RequestOptions())
            #expect(request.problem == nil)
        }
    }

    @Test func `a request has what its initialiser was given`() throws {
        let url = try self.url("https://example.com/a")
        let request = Request(.put, url, fields: [.accept: "*/*"], body: .data(Data([1, 2])))
        #expect(request.method == .put)
        #expect(request.fields[.accept] == "*/*")
        #expect(request.body?.length == 2)
    }

    @Test func `the sketch of the interface compiles, and says what it means`() throws {
        let request = Request(.post, "https://api.example.com")
            .path("users").pathSegment(42).path("photos")
            .query("page", 2)
            .header(.accept, "application/json")
            .body(json: ["title": "Sunset"])
            .timeout(.seconds(10))
        let destination = try request.destination()
        #expect(destination.target == "/users/42/photos?page=2")
        #expect(destination.hostField == "api.example.com")
        #expect(request.effectiveFields[.contentType] == "application/json")
    }

    @Test func `text that is no URL is remembered, and does not trap`() {
        let request = Request(.get, "")
        #expect(request.problem == .emptyURL)
        #expect(throws: RequestFailure.emptyURL) { try request.destination() }
    }

    @Test func `the stand-in for a URL is sent by no client`() {
        #expect(throws: RequestFailure.unsupportedScheme("file")) { try Destination(Request(.get, "").url) }
    }

    @Test func `a URL that is set anew is forgiven`() throws {
        var request = Request(.get, "")
        request.url = try self.url("https://example.com")
        #expect(request.problem == nil)
        #expect(try request.destination().target == "/")
    }

    @Test func `a body that is set anew is forgiven`() {
        var request = Request(.post, "https://example.com").body(json: Double.nan)
        #expect(request.problem != nil)
        request.body = .data(Data())
        #expect(request.problem == nil)
        #expect(Request(.post, "https://example.com").body(json: Double.nan).body(json: 1.5).problem == nil)
    }

    @Test func `a destination is refused for the URL's own faults`() {
        #expect(throws: RequestFailure.unsupportedScheme("ftp")) { try Request(.get, "ftp://a").destination() }
        #expect(throws: RequestFailure.relativeURL) { try Request(.get, "/a").destination() }
        #expect(throws: RequestFailure.missingHost) { try Request(.get, "http:///a").destination() }
    }

    @Test func `TRACE takes no body`() {
        let request = Request(.trace, "https://example.com")
        #expect(request.problem == nil)
        #expect(request.body(data: Data([1])).problem == .bodyNotAllowed(method: "TRACE"))
    }

    @Test func `the first problem, by URL then fields then body, is the one thrown`() {
        let request = Request(.post, "").header(.accept, "\n").body(json: Double.nan)
        #expect(request.problem == .emptyURL)
        let other = Request(.post, "http://a").body(json: Double.nan).header(.accept, "\n")
        #expect(other.problem == .malformedFieldValue(name: "Accept"))
    }

    @Test func `effective fields have the body's media type, unless they have one`() {
        let request = Request(.post, "http://a").header(.accept, "*/*")
        #expect(request.effectiveFields == request.fields)
        let typed = request.body(data: Data(), contentType: "image/png")
        #expect(typed.effectiveFields[.contentType] == "image/png")
        #expect(typed.fields[.contentType] == nil)
        #expect(typed.header(.contentType, "image/gif").effectiveFields[values: .contentType] == ["image/gif"])
        #expect(request.body(data: Data()).effectiveFields[.contentType] == nil)
    }

    @Test func `a replaced body takes its media type with it`() {
        let request = Request(.post, "http://a").body(json: 1).body(form: ["a": "b"])
        #expect(request.effectiveFields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test(arguments: [
        (Request(.get, "https://user:word@example.com/a?token=t#f"), "GET https://example.com:443/a"),
        (Request(.post, "http://example.com:81?q").header(.authorization, "s"), "POST http://example.com:81/"),
        (Request(.get, ""), "GET (\(RequestFailure.emptyURL))"),
    ])
    func `a description has method, origin and path, and nothing that is secret`(request: Request, text: String) {
        #expect("\(request)" == text)
        #expect(String(reflecting: request) == text)
    }

    @Test func `modifiers leave the original`() {
        let request = Request(.get, "http://a")
        _ = request.path("b").query("c", 1).header(.accept, "d").body(data: Data([1]))
        #expect(request.url.absoluteString == "http://a")
        #expect(request.fields.isEmpty)
        #expect(request.body == nil)
    }
}
