// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TestSupport
import Testing

@Suite("nginx: what comes", .hangLimit)
struct NginxTransferTests {
    @Test(arguments: Scheme.allCases)
    func `data has the body and the head`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let (data, response) = try await nginx.makeClient().data(for: Request(.get, nginx.url(scheme, "/hello.txt")))
        #expect(String(decoding: data, as: UTF8.self) == "hello\n")
        #expect(response.status == .ok)
        #expect(response.contentLength == 6)
        #expect(response[.contentType] == "text/plain")
        #expect(response.fields[.server]?.hasPrefix("nginx") == true)
        #expect(!response.isConnectionReused)
    }

    @Test(arguments: Scheme.allCases)
    func `data is all of a long body`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let (data, _) = try await nginx.makeClient().data(for: Request(.get, nginx.url(scheme, "/photo")))
        try expectEqual(data, nginx.content("/photo"))
    }

    @Test(arguments: Scheme.allCases)
    func `a download is all of a long body, in a file`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, nginx.url(scheme, "/photo"))
        let (location, response) = try await nginx.makeClient().download(for: request)
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(response.isSuccess)
        try expectEqual(Data(contentsOf: location), nginx.content("/photo"))
    }

    @Test(arguments: Scheme.allCases)
    func `a download goes to its destination and leaves nothing beside it`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let folder = try TemporaryFolder()
        let destination = folder.file("photo")
        try Data("old".utf8).write(to: destination)
        let request = Request(.get, nginx.url(scheme, "/photo"))
        let (location, _) = try await nginx.makeClient().download(for: request, to: destination)
        #expect(location.path == destination.path)
        try expectEqual(Data(contentsOf: destination), nginx.content("/photo"))
        #expect(try folder.names == ["photo"])
    }

    @Test func `an answer that is no success does not replace the file at the destination`() async throws {
        let nginx = try await Nginx.shared
        let folder = try TemporaryFolder()
        let destination = folder.file("photo")
        try Data("old".utf8).write(to: destination)
        let request = Request(.get, nginx.url(.http, "/missing"))
        let (location, response) = try await nginx.makeClient().download(for: request, to: destination)
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(response.status == .notFound)
        #expect(location != destination)
        #expect(try Data(contentsOf: destination) == Data("old".utf8))
        #expect(try String(contentsOf: location, encoding: .utf8).contains("404"))
        #expect(try folder.names == ["photo"])
    }

    @Test(arguments: Scheme.allCases)
    func `lines are all lines, whatever ends them`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let (bytes, _) = try await nginx.makeClient().bytes(for: Request(.get, nginx.url(scheme, "/lines.txt")))
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == (0..<Nginx.lineCount).map { "line \($0) ä€😀" })
    }

    @Test(arguments: Scheme.allCases)
    func `bytes and chunks are all bytes`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let request = Request(.get, nginx.url(scheme, "/lines.txt"))
        let content = try nginx.content("/lines.txt")

        let (bytes, _) = try await client.bytes(for: request)
        #expect(bytes.length == Int64(content.count))
        var single = Data()
        for try await byte in bytes { single.append(byte) }
        expectEqual(single, content)

        var pieces = Data()
        for try await chunk in try await client.bytes(for: request).0.chunks { pieces.append(chunk) }
        expectEqual(pieces, content)
    }

    @Test(arguments: Scheme.allCases)
    func `HEAD has a length and no body`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        for isReused in [false, true] {
            let (data, response) = try await client.data(for: Request(.head, nginx.url(scheme, "/photo")))
            #expect(data.isEmpty)
            #expect(response.contentLength == Int64(Nginx.photoByteCount))
            #expect(response.isConnectionReused == isReused)
        }
    }

    @Test func `a range is a part of the body, as 206`() async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, nginx.url(.http, "/photo")).header(.range, "bytes=1000-1999")
        let (data, response) = try await nginx.makeClient().data(for: request)
        #expect(response.status == .partialContent)
        #expect(response[.contentRange] == "bytes 1000-1999/\(Nginx.photoByteCount)")
        try expectEqual(data, nginx.content("/photo")[1000..<2000])
    }

    @Test(arguments: [("/missing", 404), ("/empty", 204), ("/moved", 302), ("/empty.txt", 200), ("/host", 200)])
    func `any status is an answer`(_ path: String, _ status: Int) async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, nginx.url(.http, path)).redirects(.never)
        let (_, response) = try await nginx.makeClient().data(for: request)
        #expect(response.statusCode == status)
    }
}
