// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests values of `Location` that servers may send (RFC 9110 §10.2.2).
@Suite("Redirects, Location", .hangLimit)
struct LocationTests {
    private let client = Client(configuration: .patient)

    private func follow(_ place: Recorder, _ locations: [String]) async -> Fault? {
        var request = Request(.get, place.redirect())
        for location in locations { request = request.query("to", location) }
        return await fault { () async throws(ClientError) in try await self.client.data(for: request) }
    }

    @Test(arguments: [
        "tell?id=@", "./tell?id=@", "../tell?id=@", "/tell?id=@", "/a/../tell?id=@", "a/../tell?id=@", "/./tell?id=@",
        "HTTP://127.0.0.1:$/tell?id=@", "//127.0.0.1:$/tell?id=@", "http://127.0.0.1:$/tell?id=@#there",
        "/tell?id=@&q=ä€😀", "/tell?id=@&q=a b", "/tell?id=@&q=%0D%0AX-Evil:%20yes", "/tell?id=@&q=<>\"{}|^`",
        "/tell?id=@&q[0]=a%20b", "/tell?id=@&100%",
    ])
    func `every form of a URL is followed`(_ location: String) async throws {
        let place = try await Recorder()
        let port = URL(string: place.url("/"))?.port ?? 0
        let text = location.replacing("@", with: place.id).replacing("$", with: "\(port)")
        #expect(await self.follow(place, [text]) == nil)
        let last = try #require(try await place.seen().last)
        #expect(last.path == "/tell")
        #expect(last.fields["x-evil"] == nil)
        #expect(last.fields["host"] == "127.0.0.1:\(port)")
    }

    @Test(arguments: [
        "ws://127.0.0.1/", "wss://127.0.0.1/", "http://127.0.0.1\\@127.0.0.2/", "javascript:alert(1)",
        "file:///etc/passwd", "data:text/plain,evil", "mailto:a@b.example",
        "ftp://127.0.0.1/x",
        "about:blank", "http:", "http://", "http:///tell", "http://[::1/", "http://[zz]/", "http://127.0.0.1:99999/",
        "http://127.0.0.1:port/", "http://a b/", "://", "http://:80/", "unix:/run/socket",
        "https+insecure://127.0.0.1/",
    ])
    func `what is no place for a request is refused`(_ location: String) async throws {
        let place = try await Recorder()
        let fault = await self.follow(place, [location])
        guard case .redirectFailed(.invalidLocation) = fault else {
            Issue.record("\(location) gave \(String(describing: fault))")
            return
        }
        #expect(try await place.seen().count == 1)
    }

    @Test func `several that differ are refused, and several that do not are one`() async throws {
        let place = try await Recorder()
        let tell = place.url("/tell")
        let fault = await self.follow(place, [tell, place.url("/basic")])
        #expect(fault == .redirectFailed(.invalidLocation("the response has more than one Location field")))
        #expect(try await place.seen().count == 1)
        #expect(await self.follow(place, [tell, tell]) == nil)
    }

    @Test func `who is in a Location does not sign the client in`() async throws {
        let place = try await Recorder()
        for target in [place, try await Recorder(isOther: true)] {
            let location = Account.albert.url(target.url("/basic"))
            let (_, response) = try await self.client.data(for: Request(.get, place.redirect(to: location)))
            #expect(response.statusCode == 401)
            #expect(response.url.user() == nil)
            #expect(try await target.seen().allSatisfy { $0.authorization == nil })
        }
    }

    @Test(arguments: ["\\\\127.0.0.2\\x", "/\\127.0.0.2/x", "\\/127.0.0.2/x"])
    func `a backslash is no slash`(_ location: String) async throws {
        let nginx = try await Nginx.shared
        let url = nginx.url(.http, "/go?to=\(location)")
        let (_, response) = try await self.client.data(for: Request(.get, url.replacing("\\", with: "%5C")))
        #expect(response.url.host() == "localhost")
    }

    @Test(arguments: [10, 60_000])
    func `a Location may be long`(_ count: Int) async throws {
        let place = try await Recorder()
        let location = "\(place.url("/tell"))&long=\(String(repeating: "x", count: count))"
        #expect(await self.follow(place, [location]) == nil)
        #expect(try await place.seen().last?.target.hasSuffix("xxxxx") == true)
    }
}
