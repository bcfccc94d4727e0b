// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("httpbin", .hangLimit)
struct HTTPBinTests {
    @Test func `GET arrives with its query and fields`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("/get"))
            .query("name", "Ä + &=;")
            .query("page", 2)
            .header("X-Tern", "flies")
        let reply = try await Client(configuration: .patient).data(for: request)
        let report = try HTTPBin.report(reply)
        #expect(report.args == ["name": "Ä + &=;", "page": "2"])
        #expect(report.headers["X-Tern"] == "flies")
        #expect(report.headers["Accept"] == "*/*")
        #expect(report.headers["User-Agent"] == TernVersion.product)
        #expect(report.headers["Content-Length"] == nil)
        #expect(reply.1[.contentType] == "application/json")
    }

    @Test func `path components arrive as they are`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("")).path("anything").pathSegment("a/b c").pathSegment("é?")
        let report = try HTTPBin.report(try await Client(configuration: .patient).data(for: request))
        #expect(report.url?.hasSuffix("/anything/a/b c/é?") == true || report.url?.contains("%20") == true)
    }

    @Test func `a JSON body arrives`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.post, bin.url("/post")).body(json: ["likes": 3])
        let report = try HTTPBin.report(try await Client(configuration: .patient).data(for: request))
        #expect(report.data == #"{"likes":3}"#)
        #expect(report.headers["Content-Type"] == "application/json")
        #expect(report.headers["Content-Length"] == "11")
    }

    @Test func `a form arrives`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.post, bin.url("/post")).body(form: ["name": "A & B", "city": "Málaga"])
        let report = try HTTPBin.report(try await Client(configuration: .patient).data(for: request))
        #expect(report.form == ["name": "A & B", "city": "Málaga"])
    }

    @Test func `a file arrives by PUT`() async throws {
        let bin = try await HTTPBin.shared
        let folder = try TemporaryFolder()
        try folder.write("from a file", to: "file")
        let reply = try await Client(configuration: .patient).upload(
            for: Request(.put, bin.url("/put")),
            fromFile: folder.file("file")
        )
        let report = try HTTPBin.report(reply)
        #expect(report.data == "from a file")
        #expect(report.headers["Content-Length"] == "11")
    }

    @Test func `a body in chunks arrives`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.post, bin.url("/post")).header(.contentType, "text/plain")
        let pieces = Pieces(count: 3, byteCount: 4)
        let report = try HTTPBin.report(try await Client(configuration: .patient).upload(for: request, from: pieces))
        #expect(report.data == "\0\0\0\0\u{1}\u{1}\u{1}\u{1}\u{2}\u{2}\u{2}\u{2}")
    }

    @Test(arguments: [HTTPRequest.Method.put, .patch, .delete])
    func `every method arrives with its body`(_ method: HTTPRequest.Method) async throws {
        let bin = try await HTTPBin.shared
        let request = Request(method, bin.url("/anything")).body(data: Data("body".utf8), contentType: "text/plain")
        let report = try HTTPBin.report(try await Client(configuration: .patient).data(for: request))
        #expect(report.method == method.rawValue)
        #expect(report.data == "body")
    }

    @Test(arguments: [200, 201, 400, 401, 404, 418, 500, 503])
    func `every status is an answer, and the connection stays`(_ status: Int) async throws {
        let bin = try await HTTPBin.shared
        let client = Client(configuration: .patient)
        for isReused in [false, true] {
            let (_, response) = try await client.data(for: Request(.get, bin.url("/status/\(status)")))
            #expect(response.statusCode == status)
            #expect(response.isConnectionReused == isReused)
        }
    }

    /// The server closes the connection after a response with such a status.
    @Test(arguments: [204, 304])
    func `a status without a body is an answer`(_ status: Int) async throws {
        let bin = try await HTTPBin.shared
        let client = Client(configuration: .patient)
        for _ in 0..<2 {
            let (data, response) = try await client.data(for: Request(.get, bin.url("/status/\(status)")))
            #expect(response.statusCode == status)
            #expect(data.isEmpty)
        }
    }

    @Test func `bytes of a known seed are the same by every verb`() async throws {
        let bin = try await HTTPBin.shared
        let client = Client(configuration: .patient)
        let request = Request(.get, bin.url("/bytes/100000")).query("seed", 7)
        let (data, _) = try await client.data(for: request)
        #expect(data.count == 100_000)
        let (location, _) = try await client.download(for: request)
        defer { try? FileManager.default.removeItem(at: location) }
        try expectEqual(Data(contentsOf: location), data)
        var streamed = Data()
        let chunked = Request(.get, bin.url("/stream-bytes/100000")).query("seed", 7).query("chunk_size", 999)
        for try await chunk in try await client.bytes(for: chunked).0.chunks { streamed.append(chunk) }
        expectEqual(streamed, data)
    }

    @Test func `a stream of lines is one`() async throws {
        let bin = try await HTTPBin.shared
        struct Line: Decodable { var id: Int }
        var ids: [Int] = []
        for try await line in try await Client(configuration: .patient).bytes(for: Request(.get, bin.url("/stream/20")))
            .0.lines
        {
            ids.append(try JSONDecoder().decode(Line.self, from: Data(line.utf8)).id)
        }
        #expect(ids == Array(0..<20))
    }

    @Test func `a body that drips comes as it drips`() async throws {
        let bin = try await HTTPBin.shared
        let request = Request(.get, bin.url("/drip")).query("numbytes", 5).query("duration", 0.1).query("delay", 0)
        var received = Data()
        for try await byte in try await Client(configuration: .patient).bytes(for: request).0 { received.append(byte) }
        #expect(received == Data("*****".utf8))
    }

    @Test func `an answer that takes too long is given up`() async throws {
        let bin = try await HTTPBin.shared
        let timeouts = Timeouts.patient(firstByte: .milliseconds(100))
        let fault = await fault { () async throws(ClientError) in
            try await Client(configuration: .patient).data(for: Request(.get, bin.url("/delay/10")).timeouts(timeouts))
        }
        #expect(fault == .timedOut(.firstByte))
    }
}
