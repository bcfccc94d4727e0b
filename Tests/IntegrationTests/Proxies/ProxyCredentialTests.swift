// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import HTTPTypes
import Tern
import TernAuthentication
import TernProxies
import TernTesting
import TestSupport
import Testing

@Suite("Proxies: who asks", .hangLimit)
struct ProxyCredentialTests {
    private static let closed = Way.squids.filter(\.wantsAccount)

    private static func credential(
        _ account: Account,
        _ persistence: Credential.Persistence = .forSession
    ) -> Credential {
        Credential(user: account.user, password: account.password, persistence: persistence)
    }

    /// Returns a client without credentials for the proxy.
    private func anonymous(_ way: Way, delegate: (any TaskDelegate)? = nil) async throws -> Client {
        let proxy = try await way.proxy(as: nil)
        return try await Client.trusting(delegate: delegate) { $0.proxy = .proxy(proxy) }
    }

    private func url(_ scheme: Scheme) async throws -> String { try await Apache.shared.url(scheme, .open) }

    @Test(arguments: closed, Scheme.allCases)
    func `the account of the proxy's URL is used`(_ way: Way, _ scheme: Scheme) async throws {
        for account in [Account.albert, .berta] {
            let client = try await way.makeClient(as: account)
            #expect(try await client.text(Request(.get, self.url(scheme))).0 == "hello\n")
        }
    }

    @Test(arguments: closed, Scheme.allCases)
    func `a delegate answers for the proxy`(_ way: Way, _ scheme: Scheme) async throws {
        let proxy = try await way.proxy(as: nil)
        for isShared in [false, true] {
            let delegate = RecordingDelegate { challenge in
                guard case .http = challenge.kind else { return nil }
                #expect(challenge.protectionSpace.isProxy)
                #expect(challenge.protectionSpace.realm == Account.realm)
                #expect(challenge.protectionSpace.origin.host == proxy.host)
                #expect(challenge.protectionSpace.origin.port == proxy.port)
                #expect(challenge.proposedCredential == nil)
                #expect(challenge.previousFailureCount == 0)
                #expect(challenge.response?.status.code == 407)
                return .useCredential(Self.credential(.albert))
            }
            let client = try await self.anonymous(way, delegate: isShared ? delegate : nil)
            let request = Request(.get, try await self.url(scheme))
            let (text, _) = try await client.text(request, delegate: isShared ? nil : delegate)
            #expect(text == "hello\n")
            let strongest: AuthenticationScheme = way == .httpDigest || way == .httpBoth ? .digest : .basic
            #expect(Self.challenges(delegate) == [strongest])
            // The credential is kept for the session, and also applies to requests to other servers.
            let other = Request(.get, try await Apache.shared.url(scheme, .open, host: "127.0.0.1"))
            #expect(try await client.text(other).0 == "hello\n")
        }
    }

    @Test(arguments: closed, Scheme.allCases)
    func `a wrong password is asked about again, and counted`(_ way: Way, _ scheme: Scheme) async throws {
        let (first, second) = (Account.stranger("\(way)-\(scheme)-1"), Account.stranger("\(way)-\(scheme)-2"))
        let client = try await way.makeClient(as: first)
        let delegate = RecordingDelegate { challenge in
            guard case .http = challenge.kind else { return nil }
            switch challenge.previousFailureCount {
            case 0:
                // Only Digest is asked for before the password of the URL was refused, which was sent with Basic.
                #expect(challenge.protectionSpace.scheme == .digest)
                #expect(challenge.proposedCredential == (way == .httpDigest ? Self.credential(first) : nil))
                return .performDefaultHandling
            case 1:
                #expect(challenge.proposedCredential == nil)
                return .useCredential(Self.credential(second))
            default:
                return .useCredential(Self.credential(.albert))
            }
        }
        let request = Request(.get, try await self.url(scheme))
        #expect(try await client.text(request, delegate: delegate).0 == "hello\n")
        #expect(Self.challenges(delegate).count == (way == .httpDigest ? 3 : way == .httpBoth ? 4 : 2))
    }

    @Test(arguments: closed, Scheme.allCases)
    func `where nobody answers, the 407 is the end`(_ way: Way, _ scheme: Scheme) async throws {
        let request = Request(.get, try await self.url(scheme))
        let stranger = Account.stranger("\(way)-\(scheme)-3")
        for client in [try await self.anonymous(way), try await way.makeClient(as: stranger)] {
            if scheme == .http {
                let response = try await client.text(request).1
                #expect(response.status.code == 407)
                #expect(response.fields[.proxyAuthenticate] != nil)
            } else {
                let error = await failure { () async throws(ClientError) in try await client.data(for: request) }
                #expect(error?.fault == .proxyFailed(.authenticationRequired))
                #expect(error?.context.phase == .proxy)
                #expect(error?.context.response?.status.code == 407)
            }
        }
    }

    @Test(arguments: closed, Scheme.allCases)
    func `a delegate cancels`(_ way: Way, _ scheme: Scheme) async throws {
        let request = Request(.get, try await self.url(scheme))
        let client = try await way.makeClient(as: .stranger("\(way)-\(scheme)-4"))
        let delegate = RecordingDelegate { challenge in
            if case .http = challenge.kind { .cancel } else { nil }
        }
        let fault = await fault { () async throws(ClientError) in
            try await client.data(for: request, delegate: delegate)
        }
        #expect(fault == .authenticationFailed(.cancelled))
        #expect(delegate.events.last == .completed(hasFailed: true))
    }

    @Test(arguments: Scheme.allCases)
    func `a delegate that rejects the stronger scheme is asked about the other`(_ scheme: Scheme) async throws {
        let client = try await self.anonymous(.httpBoth)
        let delegate = RecordingDelegate { challenge in
            switch challenge.protectionSpace.scheme {
            case .digest: .rejectProtectionSpace
            case .basic: .useCredential(Self.credential(.albert))
            default: nil
            }
        }
        let request = Request(.get, try await self.url(scheme))
        #expect(try await client.text(request, delegate: delegate).0 == "hello\n")
        #expect(Self.challenges(delegate) == [.digest, .basic])
    }

    @Test(arguments: closed)
    func `a credential for one call opens no tunnel for another`(_ way: Way) async throws {
        let client = try await self.anonymous(way)
        let delegate = RecordingDelegate { challenge in
            guard case .http = challenge.kind else { return nil }
            return .useCredential(Self.credential(.albert, .none))
        }
        let request = Request(.get, try await self.url(.https))
        #expect(try await client.text(request, delegate: delegate).0 == "hello\n")
        let fault = await fault { () async throws(ClientError) in try await client.data(for: request) }
        #expect(fault == .proxyFailed(.authenticationRequired))
    }

    @Test(arguments: closed, Scheme.allCases)
    func `each user of a proxy has a connection and a name of their own`(_ way: Way, _ scheme: Scheme) async throws {
        let (nginx, squid) = (try await Nginx.shared, try await Squid.shared)
        let client = try await Client.trusting()
        let accounts = [Account.albert, .berta]
        let path = "/hello.txt?users-\(way)-\(scheme)"
        for isReused in [false, true] {
            for account in accounts {
                let request = Request(.get, nginx.url(scheme, path))
                    .proxy(.proxy(try await way.proxy(as: account)))
                let wasReused = try await client.text(request).1.isConnectionReused
                // The user goes with the first request. Squid closes the connection after Basic where only Digest is
                // accepted, so the answer to that challenge has a new connection, too.
                #expect(wasReused == isReused)
            }
        }
        guard scheme == .http else { return }
        try await eventually("all calls are noted") {
            let entries = try squid.entries(about: path)
            return entries.filter { $0.status == 200 }.map(\.user) == ["Albert", "Berta", "Albert", "Berta"]
        }
    }

    @Test(arguments: closed, [Apache.Area.basic, .digest, .staleDigest])
    func `the server asks behind a proxy that asks`(_ way: Way, _ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        for scheme in Scheme.allCases {
            let client = try await way.makeClient(as: .berta)
            for _ in 0..<8 {
                let request = Request(.get, apache.url(scheme, area))
                    .credential(Self.credential(.albert))
                let (text, response) = try await client.text(request)
                #expect(text == "hello\n", "\(scheme) \(response.statusCode)")
            }
            // The client does not send the proxy's credential to the server, although it would be valid there.
            let other = Request(.get, apache.url(scheme, .other))
            #expect(try await client.text(other).1.status == .unauthorized)
        }
    }

    @Test func `a SOCKS proxy rejects a wrong password, and nobody`() async throws {
        for account in [nil, Account(user: "Albert", password: "wrong"), .berta] {
            let proxy = try await Way.socksPassword.proxy(as: account)
            let client = try await Client.trusting { $0.proxy = .proxy(proxy) }
            let url = try await self.url(.http)
            let error = await failure { () async throws(ClientError) in try await client.data(for: Request(.get, url)) }
            #expect(error?.fault == .proxyFailed(.authenticationRequired))
        }
    }

    private static func challenges(_ delegate: RecordingDelegate) -> [AuthenticationScheme] {
        delegate.events.compactMap { event in
            guard case .challenged(let scheme) = event, scheme != .serverTrust else { return nil }
            return scheme
        }
    }
}
