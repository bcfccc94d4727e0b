// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TestSupport
import Testing

/// Tests the method and the content of the request after a redirect (RFC 9110 §15.4).
@Suite("Redirects, methods and bodies", .hangLimit)
struct RedirectMethodTests {
    private let client = Client(configuration: .patient)

    private func expected(_ status: Int, _ method: HTTPRequest.Method) -> HTTPRequest.Method {
        switch (status, method) {
        case (301, .post), (302, .post), (303, .post), (303, .put): .get
        default: method
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308], [HTTPRequest.Method.get, .post, .put])
    func `httpbin redirects each method`(_ status: Int, _ method: HTTPRequest.Method) async throws {
        let bin = try await HTTPBin.shared
        var request = Request(method, bin.url("/redirect-to"))
            .query("url", "/anything").query("status_code", status).header("X-Kept", "yes")
        if method != .get { request = request.body(data: Data("content".utf8), contentType: "text/plain") }
        let reply = try await self.client.data(for: request)
        let report = try HTTPBin.report(reply)
        let expected = self.expected(status, method)
        #expect(report.method == expected.rawValue)
        #expect(report.data == (expected == .get ? "" : "content"))
        #expect(report.headers["Content-Type"] == (expected == .get ? nil : "text/plain"))
        #expect(report.headers["Content-Length"] == (expected == .get ? nil : "7"))
        #expect(report.headers["X-Kept"] == "yes")
        #expect(reply.1.redirects.map(\.statusCode) == [status])
        #expect(reply.1.url.path == "/anything")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `HEAD stays HEAD`(_ status: Int) async throws {
        let place = try await Recorder()
        var request = Request(.head, place.redirect(status, to: place.url("/tell")))
        request.method = .head
        #expect(try await self.client.status(request) == 200)
        #expect(try await place.seen().map(\.method) == ["HEAD", "HEAD"])
    }

    @Test(arguments: [300, 304, 305, 306])
    func `other statuses lead nowhere`(_ status: Int) async throws {
        let place = try await Recorder()
        #expect(try await self.client.status(Request(.get, place.redirect(status, to: "/tell"))) == status)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect without a Location is the response`(_ status: Int) async throws {
        let place = try await Recorder()
        let (data, response) = try await self.client.data(for: Request(.get, place.redirect(status)))
        #expect(response.statusCode == status)
        #expect(data == Data("elsewhere".utf8))
    }

    // MARK: Bodies

    @Test(arguments: [307, 308], ChallengedBodyTests.Body.allCases)
    func `a body that can be sent again is`(_ status: Int, _ body: ChallengedBodyTests.Body) async throws {
        let (place, other) = (try await Recorder(), try await Recorder(isOther: true))
        let folder = try TemporaryFolder()
        for target in [place, other] {
            let request = Request(.post, place.redirect(status, to: target.url("/tell")))
            #expect(try await self.client.status(request.body(try body.body(in: folder))) == 200)
            let last = try #require(try await target.seen().last)
            #expect(last.method == "POST")
            #expect(Data(last.body.utf8) == body.content)
        }
    }

    private static var once: RequestBody { .stream(stream([Data("once".utf8)])) }

    @Test func `a stream that can be read once is made anew by the delegate`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate(body: { Self.once })
        let request = Request(.put, place.redirect(307, to: place.url("/tell"))).body(Self.once)
        #expect(try await self.client.status(request, delegate: delegate) == 200)
        #expect(delegate.neededBodyCount == 1)
        #expect(try await place.seen().map(\.body) == ["once", "once"])
    }

    @Test func `a stream that can be read once, and nobody has anew, cannot be sent`() async throws {
        let place = try await Recorder()
        let request = Request(.put, place.redirect(307, to: place.url("/tell"))).body(Self.once)
        let fault = await fault { () async throws(ClientError) in try await self.client.data(for: request) }
        #expect(fault == .uploadFailed(.notReplayable))
    }

    @Test func `a stream that can be read once does not matter where it is not sent again`() async throws {
        let place = try await Recorder()
        let request = Request(.put, place.redirect(303, to: place.url("/tell"))).body(Self.once)
        #expect(try await self.client.status(request) == 200)
        #expect(try await place.seen().map(\.method) == ["PUT", "GET"])
    }

    @Test func `a redirect into what wants Digest is answered there`() async throws {
        let apache = try await Apache.shared
        let request = Request(.get, apache.redirectingURL)
        let (data, response) = try await self.client.data(for: request, delegate: SteeringDelegate(.albert))
        #expect(response.statusCode == 200)
        #expect(data == Data("hello\n".utf8))
        #expect(response.redirects.count == 1)
        #expect(try await Client(configuration: .patient).status(request.credential(Account.albert.credential)) == 200)
    }

    @Test func `download, bytes and upload are redirected like data`() async throws {
        let (place, folder) = (try await Recorder(), try TemporaryFolder())
        let request = Request(.get, place.redirect(307, to: place.url("/tell")))
        let (location, response) = try await self.client.download(for: request, to: folder.file("file"))
        #expect(response.statusCode == 200)
        #expect(try Data(contentsOf: location).starts(with: Data("{".utf8)))
        var count = 0
        for try await _ in try await self.client.bytes(for: request).0 { count += 1 }
        #expect(count > 0)
        var upload = request
        upload.method = .post
        _ = try await self.client.upload(for: upload, from: Data("uploaded".utf8))
        #expect(try await place.seen().last?.body == "uploaded")
    }
}
