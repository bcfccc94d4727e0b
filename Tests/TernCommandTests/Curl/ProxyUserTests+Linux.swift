// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import TernCommand

@Suite("The user for a proxy", .hangLimit)
struct ProxyUserTests {
    private static let digest = RecordingServer.Answer(
        status: "407 Proxy Authentication Required",
        fields: ["Proxy-Authenticate: Digest realm=\"p\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"],
        body: ""
    )
    private static let forbidden = RecordingServer.Answer(status: "403 Forbidden", fields: [], body: "")
    private static let basic = "Basic \(Data("anna:woof".utf8).base64EncodedString())"

    /// Returns the values of `Proxy-Authorization` that a proxy gets, or `-` for a request without one.
    private static func sent(_ arguments: String..., answers: [RecordingServer.Answer]) async throws -> [String] {
        let proxy = try RecordingServer { _, index in answers[min(index, answers.count - 1)] }
        let folder = try TemporaryFolder()
        let line = ["-s", "-x", "http://anna:woof@127.0.0.1:\(proxy.port)"] + arguments
        _ = try await RunningProgram.run(RunningProgram.ternCLI, line, in: folder)
        return proxy.exchanges.map { $0.fields["proxy-authorization"] ?? "-" }
    }

    @Test func `a user in the URL goes with the first request and with the first CONNECT`() async throws {
        #expect(try await Self.sent("http://dogs.example/a", answers: [.init()]) == [Self.basic])
        #expect(try await Self.sent("https://dogs.example/a", answers: [Self.forbidden]) == [Self.basic])
    }

    @Test(arguments: ["http://dogs.example/a", "https://dogs.example/a"])
    func `a proxy that wants Digest gets it`(url: String) async throws {
        let sent = try await Self.sent(url, answers: [Self.digest, Self.forbidden])
        #expect(sent.count == 2 && sent.first == Self.basic)
        #expect(sent.last?.hasPrefix("Digest ") == true)
    }

    @Test(arguments: ["http://dogs.example/a", "https://dogs.example/a"])
    func `with --proxy-anyauth, a proxy that wants Digest never sees the password`(url: String) async throws {
        let sent = try await Self.sent("--proxy-anyauth", url, answers: [Self.digest, Self.forbidden])
        #expect(sent.count == 2 && sent.first == "-")
        #expect(sent.last?.hasPrefix("Digest ") == true)
    }

    @Test(arguments: ["http://dogs.example/a", "https://dogs.example/a"])
    func `a password that was refused is not sent again`(url: String) async throws {
        let refusal = RecordingServer.Answer(
            status: "407 Proxy Authentication Required",
            fields: ["Proxy-Authenticate: Basic realm=\"p\""],
            body: ""
        )
        #expect(try await Self.sent(url, answers: [refusal]) == [Self.basic])
    }

    @Test func `a server without a proxy gets no user of a proxy`() async throws {
        let server = try RecordingServer { _, _ in .init() }
        let line = ["-s", "-x", "http://anna:woof@127.0.0.1:1", "--noproxy", "127.0.0.1"]
        let url = "http://127.0.0.1:\(server.port)/a"
        let result = try await RunningProgram.run(RunningProgram.ternCLI, line + [url], in: TemporaryFolder())
        #expect(result.exitCode == 0 && server.exchanges.count == 1)
        #expect(server.exchanges.first?.fields["proxy-authorization"] == nil)
    }
}
#endif
