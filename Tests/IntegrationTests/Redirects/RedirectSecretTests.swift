// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TernRequests
import TestSupport
import Testing

/// Tests which secret fields a redirected request keeps.
///
/// The client must not send them to another origin (RFC 9110 §15.4, list item 3), but keeps them within an origin.
@Suite("Redirects, secrets", .hangLimit)
struct RedirectSecretTests {
    /// The fields of a request that contain a secret.
    enum Field: String, CaseIterable, Sendable {
        case authorization
        case cookie
        case proxyAuthorization = "proxy-authorization"
        /// A field whose name the configuration lists as sensitive.
        case named = "x-named"
        /// A field that the request itself marks as sensitive.
        case marked = "x-marked"

        /// The value that the first server receives; `nil` for `Proxy-Authorization`, because the request uses no
        /// proxy.
        var atFirst: String? { self == .proxyAuthorization ? nil : "s3cret" }

        func add(to request: Request) -> Request {
            switch self {
            case .authorization, .cookie, .proxyAuthorization: return request.header(self.rawValue, "s3cret")
            case .named:
                guard let name = HTTPField.Name(self.rawValue) else { return request }
                return request.header(name, "s3cret").sensitive(name)
            case .marked:
                guard let name = HTTPField.Name(self.rawValue) else { return request }
                var field = HTTPField(name: name, value: "s3cret")
                field.indexingStrategy = .disallow
                var request = request
                request.fields.append(field)
                return request
            }
        }
    }

    /// The difference between the origins before and after a redirect.
    enum Leaving: CaseIterable, Sendable {
        case host
        case port

        func place() async throws -> (Recorder, host: String) {
            (try await Recorder(isOther: self == .port), self == .host ? "localhost" : "127.0.0.1")
        }
    }

    private let client = Client(configuration: .patient)

    @Test(arguments: Field.allCases, Leaving.allCases)
    func `a secret field does not leave its origin`(_ field: Field, _ leaving: Leaving) async throws {
        let (place, (other, host)) = (try await Recorder(), try await leaving.place())
        for status in [301, 302, 303, 307, 308] {
            let url = place.redirect(status, to: other.url("/tell", host: host))
            let request = field.add(to: Request(.get, url).header("X-Plain", "plain"))
            #expect(try await self.client.status(request) == 200)
            #expect(try await place.seen().last?.fields[field.rawValue] == field.atFirst)
            let got = try #require(try await other.seen().last)
            #expect(!got.fields.values.contains { $0.contains("s3cret") })
            #expect(got.fields["x-plain"] == "plain")
        }
    }

    @Test(arguments: Field.allCases)
    func `a secret field stays within its origin`(_ field: Field) async throws {
        let place = try await Recorder()
        let request = field.add(to: Request(.get, place.redirect(to: place.url("/tell"))))
        #expect(try await self.client.status(request) == 200)
        #expect(try await place.seen().map { $0.fields[field.rawValue] } == [field.atFirst, field.atFirst])
    }

    @Test(arguments: Field.allCases)
    func `a secret field that has left its origin does not come back`(_ field: Field) async throws {
        let (place, other) = (try await Recorder(), try await Recorder(isOther: true))
        let url = place.redirect(to: other.redirect(to: place.url("/tell")))
        #expect(try await self.client.status(field.add(to: Request(.get, url))) == 200)
        #expect(try await place.seen().map { $0.fields[field.rawValue] } == [field.atFirst, nil])
    }

    @Test(arguments: [(Scheme.http, Scheme.https), (.https, .http)])
    func `another scheme is another origin`(_ from: Scheme, _ to: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.redirects.allowsInsecure = true }
        let request = Request(.get, nginx.url(from, "/go?to=\(nginx.url(to, "/secrets"))"))
            .header(.authorization, "s3cret").header(.cookie, "s3cret=1").header("X-Own", "s3cret")
            .sensitive(HTTPField.Name("X-Own") ?? .cookie)
        #expect(try await client.data(for: request).0 == Data("||".utf8))
        let same = Request(.get, nginx.url(from, "/go?to=/secrets")).header(.authorization, "own")
        #expect(try await client.data(for: same).0 == Data("own||".utf8))
    }

    // MARK: Credentials

    /// The source of a credential other than a field.
    enum Source: CaseIterable, Sendable {
        case request
        case preemptive
        case token
        case delegate
        case url

        var account: Account { .albert }

        func request(_ url: String) -> Request {
            switch self {
            case .request: Request(.get, url).credential(self.account.credential)
            case .preemptive: Request(.get, url).credential(self.account.credential, isPreemptive: true)
            case .token: Request(.get, url).credential(Credential(token: "s3cret"))
            case .delegate: Request(.get, url)
            case .url: Request(.get, self.account.url(url))
            }
        }

        /// Returns a delegate that answers only challenges of the first server.
        func delegate(_ origin: Origin) -> SteeringDelegate {
            SteeringDelegate(challenged: { challenge in
                guard self == .delegate, challenge.protectionSpace.origin == origin else { return nil }
                return .useCredential(Account.albert.credential)
            })
        }
    }

    @Test(arguments: Source.allCases, Leaving.allCases)
    func `a credential does not leave its origin`(_ source: Source, _ leaving: Leaving) async throws {
        guard source != .token else { return try await self.tokenStays(leaving) }
        let (place, (other, host)) = (try await Recorder(), try await leaving.place())
        let delegate = source.delegate(try Destination(place.get("/").url).origin)
        for (by, path) in ["basic", "digest"].flatMap({ by in ["/tell", "/basic", "/digest"].map { (by, $0) } }) {
            let url = place.redirect(307, by: by, to: other.url(path, host: host))
            let status = try await self.client.status(source.request(url), delegate: delegate)
            #expect(status == (path == "/tell" ? 200 : 401))
            let (here, there) = (try await place.seen(), try await other.seen())
            #expect(here.contains { $0.authorization != nil && $0.path == "/go" })
            #expect(there.last?.path == path[...])
            #expect(there.allSatisfy { $0.authorization == nil })
        }
    }

    private func tokenStays(_ leaving: Leaving) async throws {
        let (place, (other, host)) = (try await Recorder(), try await leaving.place())
        let url = place.redirect(to: other.url("/bearer", ["token": "s3cret"], host: host))
        #expect(try await self.client.status(Source.token.request(url)) == 401)
        #expect(try await place.seen().first?.authorization == "Bearer s3cret")
        #expect(try await other.seen().first?.authorization == nil)
    }

    @Test(arguments: Source.allCases, [nil, "basic", "digest"])
    func `a credential stays within its origin`(_ source: Source, _ by: String?) async throws {
        let place = try await Recorder()
        let isToken = source == .token
        let delegate = source.delegate(try Destination(place.get("/").url).origin)
        for path in isToken ? ["/bearer"] : ["/basic", "/digest"] {
            let target = place.url(path, ["token": "s3cret"])
            let url = place.redirect(307, by: isToken ? nil : by, to: target)
            #expect(try await self.client.status(source.request(url), delegate: delegate) == 200)
        }
    }
}
