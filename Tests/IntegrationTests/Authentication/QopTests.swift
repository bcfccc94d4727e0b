// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernAuthentication
import TernFoundation
import TestSupport
import Testing

@Suite("Authentication, quality of protection", .hangLimit)
struct QopTests {
    /// Answers Apache's challenge with a certain quality of protection, even if Apache did not offer it.
    private func status(_ qop: String) async throws -> Int {
        let apache = try await Apache.shared
        let request = Request(.get, apache.url(.http, .digest))
        let (_, refused) = try await Client(configuration: .patient).data(for: request)
        let offered = try #require(try HTTPChallenge.parse(refused.fields[values: .wwwAuthenticate]).first)
        #expect(offered["qop"] == "auth")
        let changed = HTTPChallenge(
            scheme: .digest,
            parameters: offered.parameters.map { parameter in
                HTTPChallenge.Parameter(name: parameter.name, value: parameter.name == "qop" ? qop : parameter.value)
            }
        )
        let destination = try request.destination()
        var authorizer = try Authorizer(
            changed,
            Account.albert.credential,
            origin: destination.origin,
            target: destination.target
        )
        let value = try authorizer.fieldValue(
            method: "GET",
            target: destination.target,
            bodyHash: authorizer.bodyHasher?.finalize(),
            cnonce: "0123456789abcdef0123456789abcdef"
        )
        return try await Client(configuration: .patient).status(request.header(.authorization, value))
    }

    /// Apache supports only `auth`, and refuses a client that uses a quality of protection that it did not offer.
    @Test func `Apache takes auth and refuses auth-int`() async throws {
        #expect(try await self.status("auth") == 200)
        let refused = try await self.status("auth-int")
        #expect(refused == 400 || refused == 401)
    }
}
