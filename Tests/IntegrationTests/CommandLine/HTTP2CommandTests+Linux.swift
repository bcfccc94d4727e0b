// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import TestSupport
import Testing

@Suite("tern-cli: HTTP/2", .hangLimit)
struct HTTP2CommandTests {
    /// The part of a report that tests look at.
    private struct Report: Decodable {
        struct Transaction: Decodable {
            var protocolVersion: String?
            var stream: Int?
            var status: Int?
        }

        struct Metrics: Decodable { var transactions: [Transaction] }

        var outcome: String
        var metrics: Metrics?

        init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }
    }

    private struct Scene {
        let nginx: Nginx
        let folder: TemporaryFolder
        var root: String { self.nginx.folder.appending(path: "root.pem").path }

        init() async throws { (self.nginx, self.folder) = (try await Nginx.shared, try TemporaryFolder()) }

        func run(_ arguments: String...) async throws -> RunningProgram.Result {
            try await RunningProgram.run(RunningProgram.ternCLI, arguments, in: self.folder)
        }

        func secure(_ path: String) -> String { self.nginx.url(.https, .http2, path) }
        func clear(_ path: String) -> String { self.nginx.url(.http, .http2Clear, path) }
    }

    /// Returns the first line without the blank after a status that has no phrase.
    private static func statusLine(_ output: String) -> String {
        let line = output.prefix { $0 != "\n" }
        return line.hasSuffix(" ") ? String(line.dropLast()) : String(line)
    }

    @Test func `get prints the version and the body`() async throws {
        let scene = try await Scene()
        let result = try await scene.run("get", "-i", "--cacert", scene.root, scene.secure("/hello.txt"))
        #expect(result.exitCode == 0)
        #expect(Self.statusLine(result.output) == "HTTP/2 200")
        #expect(result.output.hasSuffix("\n\nhello\n"))
        #expect(result.errors.isEmpty)
        let format = "%{http_version} %{http_code}"
        let written = try await scene.run("get", "-w", format, "--cacert", scene.root, scene.secure("/hello.txt"))
        #expect(written.output == "hello\n2 200")
    }

    @Test func `the report and the chart tell version and stream`() async throws {
        let scene = try await Scene()
        let (root, url) = (scene.root, scene.secure("/hello.txt"))
        let result = try await scene.run("get", "--report", "json", "--cacert", root, url)
        #expect(result.output == "hello\n")
        let report = try Report(result.errors)
        #expect(report.outcome == "ok")
        let transactions = try #require(report.metrics?.transactions)
        #expect(transactions.map(\.protocolVersion) == ["HTTP/2"])
        #expect(transactions.map(\.stream) == [1])
        #expect(transactions.map(\.status) == [200])
        let chart = try await scene.run("get", "--timing", "--cacert", root, url)
        #expect(chart.output == "hello\n")
        #expect(chart.errors.prefix { $0 != "\n" }.contains(", HTTP/2 stream 1, "))
    }

    @Test func `a redirect is another stream of the connection`() async throws {
        let scene = try await Scene()
        let (root, url) = (scene.root, scene.secure("/moved"))
        let result = try await scene.run("get", "-L", "--report", "json", "--cacert", root, url)
        #expect(result.output == "hello\n")
        let transactions = try #require(try Report(result.errors).metrics?.transactions)
        #expect(transactions.map(\.protocolVersion) == ["HTTP/2", "HTTP/2"])
        #expect(transactions.map(\.stream) == [1, 3])
    }

    @Test func `an option limits the program to HTTP/1.1`() async throws {
        let scene = try await Scene()
        let (root, url) = (scene.root, scene.secure("/version"))
        let result = try await scene.run("get", "-i", "--http1.1", "--cacert", root, url)
        #expect(Self.statusLine(result.output) == "HTTP/1.1 200 OK")
        #expect(result.output.hasSuffix("\n\nHTTP/1.1"))
        let reported = try await scene.run("get", "--http1.1", "--report", "json", "--cacert", root, url)
        let transactions = try #require(try Report(reported.errors).metrics?.transactions)
        #expect(transactions.map(\.protocolVersion) == ["HTTP/1.1"])
        #expect(transactions.map(\.stream) == [nil])
    }

    @Test func `prior knowledge needs no TLS`() async throws {
        let scene = try await Scene()
        let result = try await scene.run("get", "-i", "--http2-prior-knowledge", scene.clear("/version"))
        #expect(result.exitCode == 0)
        #expect(Self.statusLine(result.output) == "HTTP/2 200")
        #expect(result.output.hasSuffix("\n\nHTTP/2.0"))
    }

    @Test func `a WebSocket uses HTTP/2 by prior knowledge`() async throws {
        let server = try await HTTP2Server.shared(.hypercorn)
        let folder = try #require(server.process?.folder)
        let url = "wss://localhost:\(server.port)/echo"
        let result = try await RunningProgram.ternCLI(
            "websocket",
            "-v",
            "--http2-prior-knowledge",
            "--limit",
            "2",
            "--cacert",
            folder.appending(path: "root.pem").path,
            url,
            input: "hello\nä€😀\n",
            in: TemporaryFolder()
        )
        #expect(result.output == "hello\nä€😀\n")
        #expect(result.exitCode == 0)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.contains("> CONNECT /echo HTTP/2"))
        #expect(lines.contains("> :protocol: websocket"))
        #expect(lines.contains { $0.hasPrefix("< HTTP/2 200") })
    }
}
#endif
