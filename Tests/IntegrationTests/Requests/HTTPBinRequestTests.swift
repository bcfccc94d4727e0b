// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Bodies against httpbin", .hangLimit)
struct HTTPBinRequestTests {
    private struct Search: Encodable {
        var text = "A & B"
        var tags = ["a", "b"]
        var isExact = true
    }

    @Test func `a form and a query arrive`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.post, bin.url("/post"))
            .query(Search(), encoder: FormEncoder(arrays: .commas))
            .body(form: Search(), encoder: FormEncoder(arrays: .indexed, bools: .numeric))
        let report = try HTTPBin.report(try await Client(configuration: .patient).data(for: request))
        #expect(report.form == ["isExact": "1", "tags[0]": "a", "tags[1]": "b", "text": "A & B"])
        #expect(report.args == ["isExact": "true", "tags": "a,b", "text": "A & B"])
    }

    private struct Files: Decodable {
        var files: [String: String]
        var form: [String: String]
        var headers: [String: String]
    }

    @Test func `a form with files arrives, with its length`() async throws {
        let bin = try await HTTPBin.shared
        let folder = try TemporaryFolder()
        let text = String(repeating: "0123456789abcdef", count: 40_000)
        try folder.write(text, to: "a.txt")
        try folder.write("", to: "empty.txt")
        let form = Multipart()
            .field("title", "Sunset \"1\"")
            .file("long", folder.file("a.txt"), contentType: "text/plain")
            .file("empty", folder.file("empty.txt"), contentType: "text/plain")
            .field("end", "é")
        let request = Request(.post, bin.url("/post")).body(multipart: form)
        let report = try await Client(configuration: .patient).value(for: request, as: Files.self)
        #expect(report.files == ["long": text, "empty": ""])
        #expect(report.form == ["title": "Sunset \"1\"", "end": "é"])
        #expect(report.headers["Content-Length"].flatMap { Int($0) } ?? 0 > text.utf8.count)
        #expect(report.headers["Transfer-Encoding"] == nil)
        // After 307, the client sends the body again.
        let again = Request(.post, bin.url("/redirect-to"))
            .query("url", "/post").query("status_code", 307).body(multipart: form)
        try await expectEqual(Client(configuration: .patient).value(for: again, as: Files.self).files["long"], text)
    }

    @Test func `a compressed body arrives, and unpacks to what it was`() async throws {
        let bin = try await HTTPBin.shared
        let folder = try TemporaryFolder()
        let text = String(repeating: "the same words again. ", count: 5000)
        try folder.write(text, to: "a.txt")
        let request = Request(.post, bin.url("/post")).compressed()
        let bodies: [RequestBody] = [
            .data(Data(text.utf8), contentType: "text/plain"), .file(folder.file("a.txt"), contentType: "text/plain"),
            .replayableStream(contentType: "text/plain") {
                AsyncStream<Data> { continuation in
                    continuation.yield(Data(text.utf8))
                    continuation.finish()
                }
            },
        ]
        for body in bodies {
            let report = try HTTPBin.report(try await Client(configuration: .patient).data(for: request.body(body)))
            #expect(report.headers["Content-Encoding"] == "gzip")
            #expect(report.headers["Content-Type"] == "text/plain")
            // httpbin shows binary data as base64, in a data URL.
            let encoded = (report.data ?? "").split(separator: ",").last.map(String.init) ?? ""
            let packed = try #require(Data(base64Encoded: encoded))
            #expect(packed.count < text.utf8.count / 10)
            try expectEqual(Self.gunzip(packed, in: folder), text)
        }
    }

    @Test func `curl sends what the command says`() async throws {
        let bin = try await HTTPBin.shared
        let folder = try TemporaryFolder()
        try folder.write("a \"file\"", to: "it's; a file.txt")
        let file = folder.file("it's; a file.txt")
        let base = Request(.post, bin.url("/post")).query("q", "it's $HOME `x`").header("X-Odd", "'; echo \"no\" #\\")
        let plain = try Self.run(base.body(file: file, contentType: "text/plain").curl())
        #expect(plain.data == "a \"file\"")
        #expect(plain.args == ["q": "it's $HOME `x`"])
        #expect(plain.headers["X-Odd"] == "'; echo \"no\" #\\")
        let compressed = base.body(file: file, contentType: "text/plain").compressed(minimumByteCount: 0)
        #expect(try Self.run(compressed.curl()).headers["Content-Encoding"] == "gzip")
        let form = Multipart().field("a", "secret").file("f\"1", file, contentType: "text/plain")
        let sent = try Self.run(base.body(multipart: form).curl())
        #expect(sent.form == ["a": "***"])
        #expect(sent.files?.values.first == "a \"file\"")
        let redirected = Request(.get, bin.url("/redirect-to")).query("url", "/get?b=1").redirects(.follow)
        #expect(try Self.run(redirected.curl()).args == ["b": "1"])
    }

    private struct Report: Decodable {
        var args: [String: String]
        var data: String?
        var files: [String: String]?
        var form: [String: String]?
        var headers: [String: String]
    }

    /// Returns httpbin's report about the request that a command sends.
    private static func run(_ command: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: self.output("/bin/sh", ["-c", "\(command) --silent"]))
    }

    private static func gunzip(_ data: Data, in folder: TemporaryFolder) throws -> String {
        let packed = folder.file("packed.gz")
        try data.write(to: packed)
        return String(decoding: try self.output("/bin/sh", ["-c", "gzip -dc < '\(packed.path)'"]), as: UTF8.self)
    }

    private static func output(_ path: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return data
    }
}
