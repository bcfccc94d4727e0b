// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TernAuthentication
import TernRequests
import TestSupport
import Testing

/// Tests that printed and logged text contains no secrets.
@Suite("Authentication, secrecy", .hangLimit)
struct SecrecyTests {
    private static let secret = "s3cret"
    private static let credential = Credential(user: "Albert", password: secret)

    /// Returns the texts of all ways to print a value.
    private func texts(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    private static func request(_ url: String) throws -> Request {
        let name = try #require(HTTPField.Name("X-Session-Token"))
        return Request(.get, Account(user: "Albert", password: Self.secret).url(url))
            .query("access_token", Self.secret)
            .header(.authorization, "Bearer \(Self.secret)")
            .header(.proxyAuthorization, "Bearer \(Self.secret)")
            .header(.cookie, "session=\(Self.secret)")
            .header(name, Self.secret)
            .credential(Self.credential)
    }

    @Test func `a request does not show secrets`() throws {
        let request = try Self.request("http://127.0.0.1:1/path")
        #expect(!"\(request) \(String(reflecting: request)) \(request.curl())".contains(Self.secret))
        #expect(request.curl().contains("***"))
    }

    @Test(arguments: ["/basic", "/digest"])
    func `an error does not show secrets`(_ path: String) async throws {
        let place = try await Recorder()
        let request = place.get(path).query("access_token", Self.secret).credential(Self.credential)
        let delegate = SteeringDelegate(challenged: { $0.previousFailureCount == 0 ? nil : .cancel })
        let error = try #require(
            await failure { () async throws(ClientError) in
                try await Client(configuration: .patient).data(for: request, delegate: delegate)
            }
        )
        #expect(error.fault == .authenticationFailed(.cancelled))
        #expect(!"\(error) \(String(reflecting: error)) \(error.localizedDescription)".contains(Self.secret))
    }

    @Test func `errors of credentials, redirects and refreshes do not show secrets`() async throws {
        let place = try await Recorder()
        let target = "http://127.0.0.1:99999/\(Self.secret)?token=\(Self.secret)"
        let unusable = Credential(user: "Albert:\(Self.secret)", password: Self.secret)
        let requests = [
            Request(.get, place.redirect(to: target)), place.get("/basic").credential(unusable),
            place.get("/basic").credential(Credential(token: "no token \(Self.secret)")),
        ]
        for request in requests {
            let error = try #require(
                await failure { () async throws(ClientError) in
                    try await Client(configuration: .patient).data(for: request)
                }
            )
            #expect(!"\(error) \(String(reflecting: error)) \(error.localizedDescription)".contains(Self.secret))
        }
    }

    @Test func `the values of a configuration do not show secrets`() throws {
        let origin = try Destination(Request(.get, "http://127.0.0.1:1/").url).origin
        let space = ProtectionSpace(origin: origin, scheme: .basic, realm: "tern")
        let token = BearerAuthentication(for: [origin], token: .init(Self.secret)) { _ in .init(Self.secret) }
        let store = MemoryCredentialStore([space: Self.credential])
        let netrc = try Netrc(parsing: "machine a login b password \(Self.secret)\n")
        let proxy = try Proxy("http://Albert:\(Self.secret)@127.0.0.1:1")
        let values: [Any] = [
            token, store, netrc, NetrcCredentialStore(netrc), proxy, ProxySelection.proxy(proxy), Self.credential,
            Credential(token: Self.secret), RequestCredential(Self.credential), [space: Self.credential],
        ]
        for value in values { #expect(!self.texts(value).contains(Self.secret), "\(type(of: value))") }
        var configuration = Client.Configuration.patient
        configuration.bearer = [token]
        configuration.credentialStore = store
        configuration.proxy = .proxy(proxy)
        #expect(!self.texts(configuration).contains(Self.secret))
        #expect(!self.texts(Client(configuration: configuration)).contains(Self.secret))
    }

    @Test func `a challenge does not show what it proposes`() async throws {
        let place = try await Recorder()
        let delegate = SteeringDelegate()
        _ = try await Client(configuration: .patient).data(
            for: place.get("/digest").credential(Self.credential),
            delegate: delegate
        )
        let challenge = try #require(delegate.challenges.first)
        #expect(challenge.proposedCredential == Self.credential)
        #expect(!self.texts(challenge).contains(Self.secret))
    }
}
