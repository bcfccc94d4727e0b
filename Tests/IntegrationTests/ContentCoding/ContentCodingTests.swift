// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Content codings that are right", .hangLimit)
struct ContentCodingTests {
    @Test(
        arguments: [
            "gzip", "gzip-chunked", "gzip-in-pieces", "x-gzip", "upper-case", "deflate", "raw-deflate", "members",
            "twice", "twice-in-two-fields", "not", "404",
        ],
        Verb.allCases
    )
    func `content is decoded, whatever its coding`(_ name: String, _ verb: Verb) async throws {
        let server = try await RawServer.shared
        let (body, response) = try await verb.fetch(server.get("/coded-\(name)"))
        expectEqual(body, CodedContent.plain)
        #expect(response.statusCode == (name == "404" ? 404 : 200))
        #expect(response.receivedFields[.contentEncoding] != nil)
        // Only `not` has the coding `identity`, so that nothing was decoded.
        #expect((response[.contentEncoding] == nil && response.contentLength == nil) == (name != "not"))
    }

    @Test(arguments: Verb.allCases)
    func `what has an unknown coding stays as it is`(_ verb: Verb) async throws {
        let server = try await RawServer.shared
        try await expectEqual(verb.fetch(server.get("/coded-unknown")).body, CodedContent.plain)
        // If the inner coding is unknown, the client can still undo the outer coding.
        try await expectEqual(verb.fetch(server.get("/coded-unknown-beneath")).body, CodedContent.plain)
    }

    @Test func `lines are those of the decoded content`() async throws {
        let server = try await RawServer.shared
        var count = 0
        for try await line in try await Client(configuration: .patient).bytes(for: server.get("/coded-gzip-in-pieces"))
            .0.lines
        {
            #expect(line == "line \(count) of some text that can be compressed")
            count += 1
        }
        #expect(count == 1000)
    }

    @Test(arguments: Verb.allCases)
    func `nothing is nothing, coded or not`(_ verb: Verb) async throws {
        let server = try await RawServer.shared
        for name in ["nothing-within", "nothing", "204", "304"] {
            #expect(try await verb.fetch(server.get("/coded-\(name)")).body.isEmpty, "\(name)")
        }
    }

    @Test(arguments: Verb.allCases)
    func `the answer to HEAD has a coding and no content`(_ verb: Verb) async throws {
        let server = try await RawServer.shared
        let (body, response) = try await verb.fetch(Request(.head, server.url("/coded-head")))
        #expect(body.isEmpty)
        #expect(response.httpResponse.headerFields[.contentEncoding] == "gzip")
    }

    @Test(arguments: Verb.allCases)
    func `part of coded content stays as it is`(_ verb: Verb) async throws {
        let server = try await RawServer.shared
        let (body, response) = try await verb.fetch(server.get("/coded-206"))
        #expect(body.count == 10)
        #expect(response.statusCode == 206)
    }

    @Test func `the client asks for what it can decode`() async throws {
        let server = try await RawServer.shared
        let text = { (request: Request, client: Client) in
            String(decoding: try await client.data(for: request).0, as: UTF8.self)
        }
        #expect(try await text(server.get("/accepts"), Client(configuration: .patient)) == "gzip, deflate")
        #expect(
            try await text(server.get("/accepts").header("Accept-Encoding", "br"), Client(configuration: .patient))
                == "br"
        )
        #expect(
            try await text(server.get("/accepts").header("Range", "bytes=0-"), Client(configuration: .patient))
                == "none"
        )
        var configuration = Client.Configuration.patient
        configuration.decodesContent = false
        #expect(try await text(server.get("/accepts"), Client(configuration: configuration)) == "none")
    }

    @Test(arguments: Verb.allCases)
    func `who asks for a coding or a range gets what is sent`(_ verb: Verb) async throws {
        let server = try await RawServer.shared
        for (name, value) in [("Accept-Encoding", "gzip"), ("Range", "bytes=0-")] {
            let (body, _) = try await verb.fetch(server.get("/coded-gzip").header(name, value))
            #expect(body.prefix(2) == Data([0x1F, 0x8B]))
        }
        var configuration = Client.Configuration.patient
        configuration.decodesContent = false
        let client = Client(configuration: configuration)
        #expect(try await verb.fetch(server.get("/coded-gzip"), client).body.prefix(2) == Data([0x1F, 0x8B]))
        var request = server.get("/coded-gzip")
        request.options.decodesContent = false
        #expect(try await verb.fetch(request).body.prefix(2) == Data([0x1F, 0x8B]))
    }

    @Test func `the connection is used again after decoded content`() async throws {
        let server = try await RawServer()
        let client = Client(configuration: .patient)
        for isReused in [false, true, true] {
            let (_, response) = try await client.data(for: server.get("/coded-gzip"))
            #expect(response.isConnectionReused == isReused)
        }
    }
}
