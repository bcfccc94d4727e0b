// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import TernCommand

/// Tests `tern-cli run` in separate processes, with a server on loopback.
@Suite("Request files of other editors on the command line", .hangLimit)
struct RequestFileProgramTests {
    /// A folder with a file `a.http`, and a server.
    private struct Scene {
        let folder: TemporaryFolder
        let server: RecordingServer

        /// Creates a scene; in the text of the file, `{url}` stands for the server.
        init(
            _ text: String,
            answer: @escaping @Sendable (RecordingServer.Exchange, Int) -> RecordingServer.Answer = { _, _ in .init() }
        ) throws {
            self.folder = try TemporaryFolder()
            self.server = try RecordingServer(answer: answer)
            try self.folder.write(text.replacing("{url}", with: "http://127.0.0.1:\(self.server.port)"), to: "a.http")
        }

        func run(_ words: String...) async throws -> RunningProgram.Result {
            try await RunningProgram.run(RunningProgram.ternCLI, ["run", "a.http"] + words, in: self.folder)
        }

        var targets: [String] { self.server.exchanges.map(\.target) }
    }

    private static let broken = """
        # @name a
        GET {url}/a

        ### Second
        # @name b
        GET {url}/b c/../d

        ### Third
        GET {url}/c
        """

    @Test func `an error costs only its request`() async throws {
        let scene = try Scene(Self.broken)
        let list = try await scene.run("--list")
        #expect(list.exitCode == 3 && list.output.split(separator: "\n").count == 2)
        #expect(list.output.hasPrefix("a  GET http://127.0.0.1") && list.output.contains("/c  ### Third\n"))
        #expect(
            list.errors.hasPrefix("a.http:6:") && list.errors.contains(": error: request 'b': a component of a path")
        )
        #expect(scene.targets.isEmpty)

        let good = try await scene.run("--name", "a")
        #expect(good.exitCode == 0 && good.output == "hello\n" && good.errors.isEmpty)
        let titled = try await scene.run("--name", "Third")
        #expect(titled.exitCode == 0 && scene.targets == ["/a", "/c"])

        let bad = try await scene.run("--name", "b")
        #expect(bad.exitCode == 3 && bad.errors.contains("error: request 'b'") && scene.targets.count == 2)
        let all = try await scene.run()
        #expect(all.exitCode == 3 && all.errors.contains("error: request 'b'"))
        #expect(scene.targets == ["/a", "/c", "/a", "/c"])
    }

    @Test func `warnings are told once, and not with --silent or --quiet`() async throws {
        let scene = try Scene("# @timeout 3\nget {url}/a b\n\n###\n# @timeout 3\nget {url}/c d")
        let run = try await scene.run()
        let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("a.http:") }
        #expect(run.exitCode == 0 && scene.targets == ["/a%20b", "/c%20d"])
        #expect(lines.count { $0.contains("capital letters") } == 1 && lines.count { $0.contains("@timeout") } == 1)
        for option in ["-s", "-q", "--silent"] {
            #expect(try await scene.run(option).errors.isEmpty)
        }
    }

    @Test func `a file outside of the folder is sent only if the user names it`() async throws {
        let scene = try Scene("POST {url}/a\n\n< ../outside.txt\n")
        let outside = scene.folder.url.deletingLastPathComponent().appending(path: "outside.txt").path
        let refused = try await scene.run()
        #expect(refused.exitCode == 64 && scene.targets.isEmpty)
        #expect(refused.errors.contains("use --var file=../outside.txt"))
        try scene.folder.write("inside", to: "b.txt")
        #expect(outside.hasSuffix("outside.txt"))
        let named = try await scene.run("--var", "file=\(scene.folder.file("b.txt").path)")
        #expect(named.exitCode == 0 && scene.server.exchanges.first?.body == "inside")
    }

    @Test func `a request takes a value from an earlier response`() async throws {
        let text = """
            # @name login
            POST {url}/login
            Content-Type: application/json

            {"user": "anna", "id": "{{$guid}}", "other": "{{$guid}}", "time": {{$timestamp}}}

            ###
            @token = Bearer {{login.response.body.$.session.token}}
            GET {url}/photos/{{login.response.body.session.ids[1]}}?a={{login.response.headers.X-A}}
            Authorization: {{token}}
            X-User: {{login.request.body.$.user}}
            X-Type: {{login.request.headers.Content-Type}}
            """
        let scene = try Scene(text) { exchange, _ in
            exchange.method == "POST"
                ? .init(fields: ["X-A: b c"], body: #"{"session": {"token": "t/1", "ids": [7, 8]}}"#) : .init()
        }
        let run = try await scene.run()
        #expect(run.exitCode == 0, "\(run.errors)")
        let exchanges = scene.server.exchanges
        #expect(exchanges.map(\.target) == ["/login", "/photos/8?a=b%20c"])
        #expect(exchanges.last?.fields["authorization"] == "Bearer t/1")
        #expect(exchanges.last?.fields["x-user"] == "anna")
        #expect(exchanges.last?.fields["x-type"] == "application/json")
        let ids = (exchanges.first?.body ?? "").matches(of: /[0-9a-f]{8}-[0-9a-f-]{27}/).map { String($0.output) }
        #expect(ids.count == 2 && Set(ids).count == 2)

        let alone = try await scene.run("--name", "login")
        #expect(alone.exitCode == 0)
        try scene.folder.write("GET http://127.0.0.1:1/{{a.response.body.b}}", to: "a.http")
        let missing = try await scene.run()
        #expect(missing.exitCode == 64 && missing.errors.contains("{{a.response.body.b}} needs the response to a"))
        #expect(missing.errors.contains("--var a.response.body.b=…"))
    }

    @Test func `the media type may be a variable`() async throws {
        let scene = try Scene("POST {url}/a\nContent-Type: {{type}}\n\n{\"a\": \"{{b}}\"}\n")
        #expect(try await scene.run("--var", "type=application/vnd.a+json", "--var", "b=\"c").exitCode == 0)
        #expect(scene.server.exchanges.first?.fields["content-type"] == "application/vnd.a+json")
        #expect(scene.server.exchanges.first?.body == #"{"a": "\"c"}"#)
    }

    @Test func `a user and a password are encoded`() async throws {
        let scene = try Scene("@user = anna\nGET {url}/a\nAuthorization: Basic {{user}} woof\n")
        #expect(try await scene.run().exitCode == 0)
        #expect(scene.server.exchanges.first?.fields["authorization"] == "Basic YW5uYTp3b29m")
        #expect(try await scene.run("-u", "eve:x").exitCode == 0)
        #expect(scene.server.exchanges.last?.fields["authorization"] == "Basic ZXZlOng=")
    }

    @Test func `Digest answers the challenge of the server`() async throws {
        let challenge = #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
        let scene = try Scene("GET {url}/a\nAuthorization: Digest anna woof\n") { exchange, _ in
            exchange.fields["authorization"] == nil
                ? .init(status: "401 Unauthorized", fields: [challenge]) : .init()
        }
        let run = try await scene.run()
        #expect(run.exitCode == 0 && run.output == "hello\n", "\(run.errors)")
        let exchanges = scene.server.exchanges
        #expect(exchanges.count == 2 && exchanges.first?.fields["authorization"] == nil)
        #expect(exchanges.last?.fields["authorization"]?.hasPrefix("Digest username=\"anna\"") == true)
    }

    @Test func `GraphQL is sent as JSON`() async throws {
        let scene = try Scene("GRAPHQL {url}/g\n\nquery { a(b: \"{{c}}\") }\n\n{\"d\": {{e}}}\n")
        #expect(try await scene.run("--var", "c=x\"y", "--var", "e=[1]").exitCode == 0)
        let exchange = try #require(scene.server.exchanges.first)
        #expect(exchange.method == "POST" && exchange.fields["content-type"] == "application/json")
        #expect(exchange.body == #"{"query":"query { a(b: \"x\"y\") }","variables":{"d": [1]}}"#)
    }

    @Test func `values come from the file .env and from the environment`() async throws {
        let scene = try Scene("GET {url}/{{$dotenv NAME}}?{{$processEnv PATH}}\n")
        try scene.folder.write("# a comment\nexport NAME=\"a b\"\n", to: ".env")
        let run = try await scene.run()
        #expect(run.exitCode == 0 && scene.targets.first?.hasPrefix("/a%20b?%2F") == true)
        #expect(run.errors.contains("warning: the environment variable 'PATH' is sent to the server; to give the"))
        #expect(run.errors.contains("write {{PATH}}, and use --var PATH=…"))
        try scene.folder.write("GET http://127.0.0.1:1/{{$processEnv NONE_SUCH}}", to: "a.http")
        let missing = try await scene.run()
        #expect(missing.exitCode == 64)
        #expect(missing.errors.contains("set it, or write {{NONE_SUCH}} in the file, and use --var NONE_SUCH=…"))
    }
}
#endif
