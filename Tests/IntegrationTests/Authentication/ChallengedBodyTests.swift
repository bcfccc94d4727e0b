// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests bodies that the client must send again after a challenge, and methods of the client other than `data`.
@Suite("Authentication, bodies", .hangLimit)
struct ChallengedBodyTests {
    /// The kinds of bodies that can be sent twice.
    enum Body: String, CaseIterable, Sendable {
        case data
        case largeData
        case file
        case replayableStream

        var content: Data { Data((self == .largeData ? String(repeating: "x", count: 3 << 20) : "content").utf8) }

        func body(in folder: TemporaryFolder) throws -> RequestBody {
            switch self {
            case .data, .largeData: return .data(self.content)
            case .file:
                try folder.write("content", to: "body")
                return .file(folder.file("body"))
            case .replayableStream:
                return .replayableStream { stream([Data("con".utf8), Data("tent".utf8)]) }
            }
        }
    }

    /// A body that can be read only once.
    private static var once: RequestBody { .stream(stream([Data("con".utf8), Data("tent".utf8)])) }

    private let client = Client(configuration: .patient)

    @Test(arguments: [Apache.Area.basic, .digest, .staleDigest], Body.allCases)
    func `Apache stores an upload that was challenged`(_ area: Apache.Area, _ body: Body) async throws {
        let apache = try await Apache.shared
        let folder = try TemporaryFolder()
        let name = "challenged-\(body).txt"
        let request = Request(.put, apache.url(.http, area, name)).credential(Account.albert.credential)
        for _ in 0..<2 {
            let status = try await self.client.status(request.body(try body.body(in: folder)))
            #expect(status == 201 || status == 204)
            try expectEqual(apache.content(area, name), body.content)
        }
    }

    @Test(arguments: [Apache.Area.basic, .digest])
    func `a stream that can be read once is made anew by the delegate`(_ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        let delegate = SteeringDelegate(.albert, body: { Self.once })
        let request = Request(.put, apache.url(.http, area, "once.txt")).body(Self.once)
        #expect([201, 204].contains(try await self.client.status(request, delegate: delegate)))
        #expect(delegate.neededBodyCount == 1)
        #expect(try apache.content(area, "once.txt") == Data("content".utf8))
        // The client already knows that the server needs the credential, so it sends the credential and the body only
        // once.
        #expect([201, 204].contains(try await self.client.status(request.body(Self.once))))
    }

    @Test func `a stream that can be read once, and nobody has anew, cannot be sent`() async throws {
        let apache = try await Apache.shared
        let delegate = SteeringDelegate(.albert)
        let request = Request(.put, apache.url(.http, .digest, "never.txt")).body(Self.once)
        let fault = await fault { () async throws(ClientError) in
            try await self.client.data(for: request, delegate: delegate)
        }
        #expect(fault == .uploadFailed(.notReplayable))
        #expect(delegate.neededBodyCount == 1)
    }

    @Test func `a stream that can be read once does not matter where nobody answers`() async throws {
        let apache = try await Apache.shared
        let request = Request(.put, apache.url(.http, .digest, "never.txt")).body(Self.once)
        #expect(try await self.client.status(request) == 401)
    }

    @Test(arguments: [Body.data, .file, .replayableStream])
    func `auth-int protects what is sent`(_ body: Body) async throws {
        let place = try await Recorder()
        let folder = try TemporaryFolder()
        let request = Request(.post, place.url("/digest", ["qop": "auth-int", "algorithm": "SHA-256"]))
            .credential(Account.albert.credential)
            .body(try body.body(in: folder))
        for _ in 0..<2 { #expect(try await self.client.status(request) == 200) }
        #expect(try await place.seen().map(\.body) == ["content", "content", "content"])
    }

    /// Hashing the stream would read it, so it could not be sent.
    @Test func `auth-int cannot protect a stream that can be read once`() async throws {
        let request = Request(.post, try await Recorder().url("/digest", ["qop": "auth-int"])).body(Self.once)
        let delegate = SteeringDelegate(.albert, body: { Self.once })
        let fault = await fault { () async throws(ClientError) in
            try await self.client.data(for: request, delegate: delegate)
        }
        #expect(fault == .uploadFailed(.notReplayable))
    }

    @Test(arguments: [Apache.Area.basic, .digest])
    func `download and bytes are authenticated like data`(_ area: Apache.Area) async throws {
        let apache = try await Apache.shared
        let folder = try TemporaryFolder()
        let request = Request(.get, apache.url(.http, area)).credential(Account.albert.credential)
        let (location, response) = try await Client(configuration: .patient).download(
            for: request,
            to: folder.file("hello.txt")
        )
        #expect(response.statusCode == 200)
        #expect(try Data(contentsOf: location) == Data("hello\n".utf8))
        let (bytes, _) = try await Client(configuration: .patient).bytes(for: request)
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == ["hello"])
    }

    @Test func `a download that is refused leaves what is in its place`() async throws {
        let apache = try await Apache.shared
        let folder = try TemporaryFolder()
        try folder.write("good", to: "file")
        let request = Request(.get, apache.url(.http, .digest)).credential(Account.albert.wrongCredential)
        let (location, response) = try await Client(configuration: .patient).download(
            for: request,
            to: folder.file("file")
        )
        defer { try? FileManager.default.removeItem(at: location) }
        #expect(response.statusCode == 401)
        #expect(try Data(contentsOf: folder.file("file")) == Data("good".utf8))
    }

    /// No call reads the body of the 401, whose connection is the only allowed one.
    @Test(arguments: ["/basic", "/digest"])
    func `a 401 with a long body does not stand in the way`(_ path: String) async throws {
        let client = Client { $0.pool.maximumConnectionsPerHost = 1 }
        let request = try await Recorder().get(path, ["bytes": "3000000"]).credential(Account.albert.credential)
        #expect(try await client.status(request) == 200)
    }

    @Test func `a 401 with a short body leaves its connection for the answer`() async throws {
        let request = try await Recorder().get("/basic").credential(Account.albert.credential)
        let (_, response) = try await Client(configuration: .patient).data(for: request)
        #expect(response.statusCode == 200)
        #expect(response.isConnectionReused)
    }
}
