// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernAuthentication
import TestSupport
import Testing

/// The way in which a test provides its credential.
enum Bringing: String, CaseIterable, Sendable {
    case taskDelegate
    case clientDelegate
    case request
    case url
    case store
    case netrc

    /// Sends a request with an account.
    ///
    /// A credential store selects credentials by the protection space.
    func send(
        _ text: String,
        as account: Account,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws -> (Data, Response) {
        let answering = SteeringDelegate(account)
        var configuration = Client.Configuration.patient
        change(&configuration)
        switch self {
        case .store: configuration.credentialStore = AnyStore(credential: account.credential)
        case .netrc:
            let host = URL(string: text)?.host ?? ""
            let netrc = try Netrc(
                parsing: "machine \(host) login \"\(account.user)\" password \"\(account.password)\"\n"
            )
            configuration.credentialStore = NetrcCredentialStore(netrc)
        default: break
        }
        let client = Client(configuration: configuration, delegate: self == .clientDelegate ? answering : nil)
        var request = Request(.get, self == .url ? account.url(text) : text)
        if self == .request { request = request.credential(account.credential) }
        return try await client.data(for: request, delegate: self == .taskDelegate ? answering : nil)
    }
}

/// A store that returns the same credential for every protection space.
struct AnyStore: CredentialStore {
    let credential: Credential

    func credential(for space: ProtectionSpace) async -> Credential? { self.credential }
    func store(_ credential: Credential, for space: ProtectionSpace) async {}
    func remove(for space: ProtectionSpace) async {}
}

@Suite("Authentication, schemes", .hangLimit)
struct SchemeTests {
    @Test(arguments: Bringing.allCases, [Apache.Area.basic, .digest, .staleDigest])
    func `Apache lets in who brings the right password`(_ bringing: Bringing, _ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        let (data, response) = try await bringing.send(apache.url(.http, area), as: .albert)
        #expect(response.statusCode == 200)
        #expect(data == Data("hello\n".utf8))
    }

    @Test(arguments: Bringing.allCases)
    func `a name and a password beyond ASCII are sent in UTF-8 by Basic`(_ bringing: Bringing) async throws {
        let apache = try await Apache.shared
        let (_, response) = try await bringing.send(apache.url(.http, .basic), as: .jason)
        #expect(response.statusCode == 200)
    }

    @Test(arguments: Bringing.allCases)
    func `a name and a password beyond ASCII are sent by Digest`(_ bringing: Bringing) async throws {
        let apache = try await Apache.shared
        for url in [apache.url(.http, .digest), try await Recorder().url("/digest", ["algorithm": "SHA-256"])] {
            let (_, response) = try await bringing.send(url, as: .jason)
            #expect(response.statusCode == 200)
        }
    }

    @Test(arguments: Scheme.allCases, Bringing.allCases)
    func `nginx lets in who brings the right password`(_ scheme: Scheme, _ bringing: Bringing) async throws {
        let nginx = try await Nginx.shared
        let (data, response) = try await bringing.send(nginx.url(scheme, "/closed/hello.txt"), as: .albert) {
            $0.tls.trust = .only([nginx.root("root")])
        }
        #expect(response.statusCode == 200)
        #expect(data == Data("hello\n".utf8))
    }

    @Test(arguments: Bringing.allCases)
    func `httpbin lets in by Basic`(_ bringing: Bringing) async throws {
        let bin = try await HTTPBin.shared
        let (_, response) = try await bringing.send(bin.url("/basic-auth/Albert/open%20sesame"), as: .albert)
        #expect(response.statusCode == 200)
    }

    @Test(arguments: ["auth", "auth-int", "both"], ["MD5", "SHA-256"])
    func `httpbin lets in by Digest`(_ qop: String, _ algorithm: String) async throws {
        let bin = try await HTTPBin.shared
        // The server hashes the path without percent-encoding, so the path must not need it.
        let account = Account(user: "Albert", password: "sesame")
        for bringing in Bringing.allCases {
            let url = bin.url("/digest-auth/\(qop)/Albert/sesame/\(algorithm)")
            let (data, response) = try await bringing.send(url, as: account)
            #expect(response.statusCode == 200)
            #expect(String(decoding: data, as: UTF8.self).contains("\"authenticated\""))
        }
    }

    /// RFC 7616 defines SHA-512-256, but not the algorithm of this challenge.
    @Test func `a Digest whose algorithm is not known is the caller's to see`() async throws {
        let bin = try await HTTPBin.shared
        let delegate = SteeringDelegate(.albert)
        let request = Request(.get, bin.url("/digest-auth/auth/Albert/x/SHA-512")).credential(Account.albert.credential)
        let (_, response) = try await Client(configuration: .patient).data(for: request, delegate: delegate)
        #expect(response.statusCode == 401)
        #expect(response[.wwwAuthenticate]?.contains("SHA-512") == true)
        #expect(delegate.challenges.isEmpty)
    }

    @Test func `a nonce that is stale every time is given up`() async throws {
        let bin = try await HTTPBin.shared
        let delegate = SteeringDelegate(.albert)
        let request = Request(.get, bin.url("/digest-auth/auth/Albert/sesame/MD5/0"))
            .header(.cookie, "stale_after=0")
            .credential(Credential(user: "Albert", password: "sesame"))
        #expect(try await Client(configuration: .patient).status(request) == 401)
        #expect(try await Client(configuration: .patient).status(request, delegate: delegate) == 401)
    }

    /// The server answers 404 to a request without the field.
    @Test(arguments: [(true, 200), (false, 404)])
    func `Basic is sent unasked if the request says so`(_ isPreemptive: Bool, _ status: Int) async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("/hidden-basic-auth/Albert/open%20sesame"))
            .credential(Account.albert.credential, isPreemptive: isPreemptive)
        #expect(try await Client(configuration: .patient).status(request) == status)
    }

    @Test func `a token is sent at once`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("/bearer"))
        let (data, response) = try await Client(configuration: .patient).data(
            for: request.credential(Credential(token: "t0ken"))
        )
        #expect(response.statusCode == 200)
        #expect(String(decoding: data, as: UTF8.self).contains("t0ken"))
        #expect(try await Client(configuration: .patient).status(request) == 401)
    }

    @Test func `a token from a delegate answers Bearer`() async throws {
        let bin = try await HTTPBin.shared
        let delegate = SteeringDelegate(challenged: { _ in .useCredential(Credential(token: "t0ken")) })
        #expect(
            try await Client(configuration: .patient).status(Request(.get, bin.url("/bearer")), delegate: delegate)
                == 200
        )
        #expect(delegate.schemes == [.bearer])
    }

    @Test(arguments: [Apache.Area.basic, .digest])
    func `HEAD is authenticated like GET`(_ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        let request = Request(.head, apache.url(.http, area)).credential(Account.albert.credential)
        #expect(try await Client(configuration: .patient).status(request) == 200)
    }
}
