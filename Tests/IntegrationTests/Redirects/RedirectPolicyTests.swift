// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Redirects, policies", .hangLimit)
struct RedirectPolicyTests {
    private let client = Client(configuration: .patient)

    private func fault(_ request: Request, delegate: (any TaskDelegate)? = nil) async -> Fault? {
        await ClientTestSupport.fault { () async throws(ClientError) in
            try await self.client.data(for: request, delegate: delegate)
        }
    }

    @Test(arguments: ["/redirect/", "/absolute-redirect/", "/relative-redirect/"])
    func `httpbin redirects as often as it is asked to`(_ path: String) async throws {
        let bin = try await HTTPBin.shared
        for count in [1, 3, 20] {
            let (_, response) = try await self.client.data(for: Request(.get, bin.url("\(path)\(count)")))
            #expect(response.statusCode == 200)
            #expect(response.redirects.count == count)
            #expect(response.redirects.first?.url.path == "\(path)\(count)")
            #expect(response.redirects.allSatisfy { $0.statusCode == 302 })
            #expect(response.url.path == "/get")
        }
        #expect(await self.fault(Request(.get, bin.url("\(path)21"))) == .redirectFailed(.tooMany(limit: 20)))
    }

    @Test func `the limit is the request's, before the client's`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("/redirect/3"))
        #expect(
            await self.fault(request.redirects(RedirectPolicy(maximumCount: 2))) == .redirectFailed(.tooMany(limit: 2))
        )
        #expect(try await self.client.status(request.redirects(RedirectPolicy(maximumCount: 3))) == 200)
        let client = Client { $0.redirects = .never }
        #expect(try await client.status(request) == 302)
        #expect(try await client.status(request.redirects(.follow)) == 200)
    }

    @Test func `none is followed by a policy that says so`() async throws {
        let place = try await Recorder()
        let request = Request(.get, place.redirect(to: "javascript:alert(1)")).redirects(.never)
        let (data, response) = try await self.client.data(for: request)
        #expect(response.statusCode == 302)
        #expect(response.redirects.isEmpty)
        #expect(data == Data("elsewhere".utf8))
    }

    @Test func `only those to the same origin are followed by a policy that says so`() async throws {
        let (place, other) = (try await Recorder(), try await Recorder(isOther: true))
        let away = Request(.get, place.redirect(to: other.url("/tell"))).redirects(.sameOrigin)
        #expect(try await self.client.status(away) == 302)
        #expect(try await other.seen().isEmpty)
        let within = Request(.get, place.redirect(to: place.url("/tell"))).redirects(.sameOrigin)
        #expect(try await self.client.status(within) == 200)
        let host = Request(.get, place.redirect(to: place.url("/tell", host: "localhost"))).redirects(.sameOrigin)
        #expect(try await self.client.status(host) == 302)
    }

    @Test(arguments: ["/round", "/circle"])
    func `a circle is left at once`(_ path: String) async throws {
        let nginx = try await Nginx.shared
        #expect(await self.fault(Request(.get, nginx.url(.http, path))) == .redirectFailed(.loop))
    }

    @Test(arguments: [301, 302, 307, 308])
    func `from https to http is refused, unless it is allowed`(_ status: Int) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let request = Request(.get, nginx.url(.https, "/go?to=\(nginx.url(.http, "/hello.txt"))"))
        let fault = await ClientTestSupport.fault { () async throws(ClientError) in try await client.data(for: request)
        }
        #expect(fault == .redirectFailed(.insecure))
        let bold = request.redirects(RedirectPolicy(allowsInsecure: true))
        #expect(try await client.status(bold) == 200)
        let delegate = SteeringDelegate(redirected: { request, _ in .follow(request) })
        #expect(try await client.status(request, delegate: delegate) == 200)
        let secure = Request(.get, nginx.url(.http, "/go?to=\(nginx.url(.https, "/hello.txt"))"))
        #expect(try await client.status(secure) == 200)
    }

    // MARK: Fragments

    /// RFC 9110 §10.2.2 states this rule.
    @Test func `a fragment is inherited, unless there is another`() async throws {
        let place = try await Recorder()
        let plain = place.redirect(to: place.redirect(to: place.url("/tell")))
        let (_, first) = try await self.client.data(for: Request(.get, "\(plain)#p%C3%A4rt"))
        #expect(first.url.fragment(percentEncoded: true) == "p%C3%A4rt")
        let other = place.redirect(to: "\(place.url("/tell"))#other")
        #expect(try await self.client.data(for: Request(.get, "\(other)#part")).1.url.fragment() == "other")
        #expect(try await self.client.data(for: Request(.get, plain)).1.url.fragment() == nil)
        #expect(try await place.seen().allSatisfy { !$0.target.contains("#") })
    }

    // MARK: Delegates

    @Test func `a delegate changes the request`() async throws {
        let (place, other) = (try await Recorder(), try await Recorder(isOther: true))
        let delegate = SteeringDelegate(redirected: { request, response in
            guard response.statusCode == 302 else { return nil }
            return .follow(request.header("X-Own", "for the other"))
        })
        let request = Request(.get, place.redirect(to: other.url("/tell"))).header(.authorization, "Bearer s3cret")
        #expect(try await self.client.status(request, delegate: delegate) == 200)
        let seen = try #require(try await other.seen().first)
        #expect(seen.fields["x-own"] == "for the other")
        #expect(seen.authorization == nil)
    }

    @Test func `a delegate gives the other origin what it wants it to see`() async throws {
        let (place, other) = (try await Recorder(), try await Recorder(isOther: true))
        let delegate = SteeringDelegate(redirected: { request, _ in .follow(request.header(.authorization, "Mine")) })
        _ = try await self.client.status(Request(.get, place.redirect(to: other.url("/tell"))), delegate: delegate)
        #expect(try await other.seen().first?.authorization == "Mine")
    }

    @Test func `a delegate stops, or ends the call`() async throws {
        let place = try await Recorder()
        let request = Request(.get, place.redirect(to: place.url("/tell")))
        let (data, response) = try await self.client.data(
            for: request,
            delegate: SteeringDelegate(redirected: { _, _ in .stop })
        )
        #expect(response.statusCode == 302)
        #expect(data == Data("elsewhere".utf8))
        #expect(await self.fault(request, delegate: SteeringDelegate(redirected: { _, _ in .cancel })) == .cancelled)
        #expect(try await place.seen().count == 2)
    }

    @Test func `a delegate follows what the policy would not`() async throws {
        let (place, other) = (try await Recorder(), try await Recorder(isOther: true))
        let delegate = SteeringDelegate(redirected: { request, _ in .follow(request) })
        for policy in [RedirectPolicy.never, .sameOrigin] {
            let request = Request(.get, place.redirect(to: other.url("/tell"))).redirects(policy)
            #expect(try await self.client.status(request, delegate: delegate) == 200)
        }
    }

    @Test func `a body that is long does not stand in the way`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.pool.maximumConnectionsPerHost = 1 }
        #expect(try await client.status(Request(.get, nginx.url(.http, "/moved"))) == 200)
    }
}
