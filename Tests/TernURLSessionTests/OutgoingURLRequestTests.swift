// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading
import Testing

@testable import TernURLSession

@Suite("Request for URLSession")
struct OutgoingURLRequestTests {
    private func outgoing(
        _ request: Request,
        hasBody: Bool = false,
        announcedLength: Int64? = nil
    ) throws -> OutgoingURLRequest {
        try OutgoingURLRequest(try HTTPCall(request), hasBody: hasBody, announcedLength: announcedLength)
    }

    private func value(_ name: String, _ request: Request, hasBody: Bool = false) throws -> String? {
        try self.outgoing(request, hasBody: hasBody).urlRequest.value(forHTTPHeaderField: name)
    }

    @Test func `method, URL and fields are taken over, and cookies are off`() throws {
        let request = try self.outgoing(Request(.patch, "http://h/a%20b?c=d").header("X-Key", "1")).urlRequest
        #expect(request.httpMethod == "PATCH")
        #expect(request.url?.absoluteString == "http://h/a%20b?c=d")
        #expect(request.value(forHTTPHeaderField: "X-Key") == "1")
        #expect(!request.httpShouldHandleCookies)
        #expect(request.timeoutInterval == OutgoingURLRequest.timeoutInterval)
    }

    @Test(arguments: [
        ("http://h/a?b=%2Fc", "http://h/a?b=%2Fc"), ("http://user:pass%20word@h:81/a%2Fb?c", "http://h:81/a%2Fb?c"),
        ("http://user@h/", "http://h/"), ("http://h/a#part", "http://h/a"),
    ])
    func `user, password and fragment stay away`(_ text: String, _ expected: String) throws {
        #expect(OutgoingURLRequest.url(of: Request(.get, text).url).absoluteString == expected)
    }

    @Test func `lines with the same name are joined`() throws {
        let request = Request(.get, "http://h/")
            .header(adding: "Accept", "a").header(adding: "accept", "b")
            .header(adding: "Cookie", "c=1").header(adding: "Cookie", "d=2")
        #expect(try self.value("Accept", request) == "a, b")
        #expect(try self.value("Cookie", request) == "c=1; d=2")
    }

    @Test func `a secret for a proxy is not sent`() throws {
        let request = Request(.get, "http://h/").header(.proxyAuthorization, "Basic abc")
        #expect(try self.value("Proxy-Authorization", request) == nil)
    }

    @Test func `a POST without a media type is not called a form`() throws {
        let request = Request(.post, "http://h/")
        #expect(try self.value("Content-Type", request, hasBody: true) == "application/octet-stream")
        #expect(try self.value("Content-Type", request) == nil)
        let typed = request.header(.contentType, "text/plain")
        #expect(try self.value("Content-Type", typed, hasBody: true) == "text/plain")
        #expect(try self.value("Content-Type", Request(.put, "http://h/"), hasBody: true) == nil)
    }

    @Test func `the media type of the body is sent`() throws {
        var request = Request(.post, "http://h/")
        request.body = .data(Data(), contentType: "text/csv")
        #expect(try self.value("Content-Type", request, hasBody: true) == "text/csv")
    }

    @Test func `URLSession chooses the codings that the client asks for`() throws {
        let asking = try self.outgoing(Request(.get, "http://h/").header(.acceptEncoding, "gzip, br"))
        #expect(asking.asksForCodings)
        #expect(asking.urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == nil)
    }

    @Test func `without a wish, the content is not coded`() throws {
        let plain = try self.outgoing(Request(.get, "http://h/").header(.range, "bytes=5-"))
        #expect(!plain.asksForCodings)
        #expect(plain.urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
    }

    @Test func `codings that the program asks for are sent`() throws {
        var request = Request(.get, "http://h/").header(.acceptEncoding, "gzip")
        request.options.decodesContent = false
        let own = try self.outgoing(request)
        #expect(!own.asksForCodings)
        #expect(own.urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == "gzip")
    }

    @Test func `the length of a stream is announced`() throws {
        let request = try self.outgoing(Request(.put, "http://h/"), hasBody: true, announcedLength: 12)
        #expect(request.urlRequest.value(forHTTPHeaderField: "Content-Length") == "12")
    }

    @Test(
        arguments: [
            ("Content-Length", "5", .framingField(name: "Content-Length or Transfer-Encoding")),
            ("Transfer-Encoding", "chunked", .framingField(name: "Content-Length or Transfer-Encoding")),
            ("X Key", "1", .malformedFieldName), ("X-Key:", "1", .malformedFieldName), ("", "1", .malformedFieldName),
            ("Host", "a b", .malformedHost),
        ] as [(String, String, RequestFailure)]
    )
    func `a field that the client's own transport refuses is refused`(
        _ name: String,
        _ value: String,
        _ failure: RequestFailure
    ) throws {
        var request = Request(.put, "http://h/")
        request.fields[name] = value
        let error = #expect(throws: ClientError.self) { try self.outgoing(request, hasBody: true) }
        #expect(error?.fault == .invalidRequest(failure))
    }

    @Test func `a body of a negative length is refused`() throws {
        let error = #expect(throws: ClientError.self) {
            try self.outgoing(Request(.put, "http://h/"), hasBody: true, announcedLength: -1)
        }
        #expect(error?.fault == .invalidRequest(.bodyNotEncodable("its length is negative")))
    }
}
