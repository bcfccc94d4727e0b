// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernProxies
import TestSupport
import Testing

/// Checks with curl that the servers and proxies behave as the other tests expect.
@Suite("Peers", .hangLimit)
struct PeerTests {
    /// Requests a URL with curl; the test fails if the status is not 200.
    private func curl(_ arguments: [String]) throws {
        let folder = FileManager.default.temporaryDirectory
        let quiet = ["--disable", "--silent", "--show-error", "--fail", "--noproxy", "", "--ipv4"]
        try PeerProcess.run("curl", quiet + arguments, in: folder)
    }

    private func user(_ account: Account) -> String { "\(account.user):\(account.password)" }

    @Test(arguments: Scheme.allCases, Apache.Area.allCases)
    func `Apache lets in who may`(_ scheme: Scheme, _ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        let accounts: [Account] = area == .other || area == .forbidden ? [.berta] : [.albert, .jason]
        for account in accounts {
            let known = ["--anyauth", "--user", self.user(account), "--cacert", apache.rootPath]
            try self.curl(known + [apache.url(scheme, area)])
        }
        let unknown = ["--anyauth", "--user", "Albert:wrong", "--cacert", apache.rootPath]
        guard area != .open else { return }
        #expect(throws: PeerProcess.Failure.self) { try self.curl(unknown + [apache.url(scheme, area)]) }
    }

    @Test(arguments: [Apache.Area.open, .basic, .digest])
    func `Apache stores what is sent`(_ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        let known = ["--anyauth", "--user", self.user(.albert), "--upload-file", Scripts.path("users.sh")]
        try self.curl(known + [apache.url(.http, area, "stored.txt")])
        try expectEqual(apache.content(area, "stored.txt"), Data(contentsOf: URL(filePath: Scripts.path("users.sh"))))
    }

    @Test(arguments: Scheme.allCases, Squid.Port.allCases)
    func `Squid lets through who may`(_ scheme: Scheme, _ port: Squid.Port) async throws {
        let (apache, squid) = (try await Apache.shared, try await Squid.shared)
        // The certificate does not name `proxied.test`.
        let host = scheme == .http ? "proxied.test" : "localhost"
        let url = apache.url(scheme, .open, "hello.txt?\(scheme)-\(port)", host: host)
        let proxy = squid.proxy(port)
        let options = [
            "--cacert", apache.rootPath, "--proxy-cacert", squid.rootPath, "--proxy",
            "\(proxy.kind)://\(proxy.host):\(proxy.port)",
        ]
        for account in [Account.albert, .jason] {
            try self.curl(options + ["--proxy-anyauth", "--proxy-user", self.user(account), url])
        }
        if port.wantsAccount {
            #expect(throws: PeerProcess.Failure.self) { try self.curl(options + [url]) }
            // No other test uses this name. Squid accepts or refuses all requests with one name together (see
            // Account.stranger).
            let wrong = ["--proxy-anyauth", "--proxy-user", self.user(.stranger("peers")), url]
            #expect(throws: PeerProcess.Failure.self) { try self.curl(options + wrong) }
        }
        let target = scheme == .http ? "?\(scheme)-\(port)" : "localhost:\(apache.securePort)"
        try await eventually("it has noted that") {
            try squid.entries(about: target).contains { $0.port == squid.port(port) && $0.status == 200 }
        }
    }

    @Test func `Squid refuses a host`() async throws {
        let squid = try await Squid.shared
        let options = ["--proxy", "http://127.0.0.1:\(squid.port(.open))"]
        for url in ["http://forbidden.test/asked-by-curl", "https://forbidden.test/"] {
            #expect(throws: PeerProcess.Failure.self) { try self.curl(options + [url]) }
        }
        // Other tests request this host at the same time, and Squid refuses them, too.
        try await eventually("it has noted that") {
            let entries = try squid.entries(about: "forbidden.test")
            guard entries.contains(where: { $0.target.hasSuffix("/asked-by-curl") }) else { return false }
            return entries.contains { $0.method == "CONNECT" } && entries.allSatisfy { $0.status == 403 }
        }
    }

    @Test(arguments: Scheme.allCases)
    func `the SOCKS servers let through who may`(_ scheme: Scheme) async throws {
        let (open, closed) = (try await SOCKSServer.open, try await SOCKSServer.closed)
        let apache = try await Apache.shared
        let options = ["--cacert", apache.rootPath, apache.url(scheme, .open), "--socks5-hostname"]
        try self.curl(options + ["127.0.0.1:\(open.port)"])
        try self.curl(options + ["127.0.0.1:\(closed.port)", "--proxy-user", self.user(.albert)])
        for wrong in [[], ["--proxy-user", "Albert:wrong"]] {
            #expect(throws: PeerProcess.Failure.self) { try self.curl(options + ["127.0.0.1:\(closed.port)"] + wrong) }
        }
    }
}
