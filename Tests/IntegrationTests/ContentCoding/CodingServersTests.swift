// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernBrotli
import TestSupport
import Testing

@Suite("Content codings of real servers", .hangLimit)
struct CodingServersTests {
    @Test(arguments: Scheme.allCases, Verb.allCases)
    func `nginx compresses on the way`(_ scheme: Scheme, _ verb: Verb) async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, nginx.url(scheme, "/packed/lines.txt"))
        let (body, response) = try await verb.fetch(request, nginx.makeClient())
        try expectEqual(body, nginx.content("/lines.txt"))
        #expect(response.receivedFields[.contentEncoding] == "gzip")
    }

    /// The compressed content is a little larger than the original.
    @Test(arguments: Verb.allCases)
    func `a large file that cannot be compressed survives it`(_ verb: Verb) async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, nginx.url(.http, "/packed/photo"))
        let (body, response) = try await verb.fetch(request, nginx.makeClient())
        try expectEqual(body, nginx.content("/photo"))
        #expect(response.receivedFields[.contentEncoding] == "gzip")
    }

    @Test func `nginx answers a range as it is`() async throws {
        let nginx = try await Nginx.shared
        let request = Request(.get, nginx.url(.http, "/packed/lines.txt")).header("Range", "bytes=5-14")
        let (body, response) = try await nginx.makeClient().data(for: request)
        try expectEqual(body, nginx.content("/lines.txt")[5..<15])
        #expect(response.statusCode == 206)
    }

    @Test func `nginx answers HEAD without content`() async throws {
        let nginx = try await Nginx.shared
        let (body, response) = try await nginx.makeClient()
            .data(for: Request(.head, nginx.url(.http, "/packed/lines.txt")))
        #expect(body.isEmpty)
        #expect(response.statusCode == 200)
    }

    @Test(arguments: ["gzip", "deflate"], Verb.allCases)
    func `httpbin compresses as it is asked to`(_ coding: String, _ verb: Verb) async throws {
        let bin = try await HTTPBin.shared
        let reply = try await verb.fetch(Request(.get, bin.url("/\(coding)")))
        let report = try HTTPBin.report(reply)
        #expect(report.headers["Accept-Encoding"] == "gzip, deflate")
        #expect(reply.response.receivedFields[.contentEncoding] == coding)
    }

    @Test(arguments: Verb.allCases)
    func `httpbin compresses with Brotli`(_ verb: Verb) async throws {
        let bin = try await HTTPBin.shared
        let client = Client { $0.contentCodecs = [.brotli] }
        let reply = try await verb.fetch(Request(.get, bin.url("/brotli")), client)
        let report = try HTTPBin.report(reply)
        #expect(report.headers["Accept-Encoding"] == "br, gzip, deflate")
        #expect(reply.response.receivedFields[.contentEncoding] == "br")
    }
}
