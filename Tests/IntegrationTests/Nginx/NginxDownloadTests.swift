// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("nginx: downloads with several requests at the same time", .hangLimit)
struct NginxDownloadTests {
    private static let places: [(Scheme, Nginx.Port)] = [
        (.http, .plain), (.https, .tls), (.https, .http2), (.http, .http2Clear),
        // Closes each connection after a response, or after a number of them.
        (.http, .closing), (.https, .http2Leaving),
    ]

    @Test(arguments: places, [1, 2, 5])
    func `a file arrives whole`(place: (scheme: Scheme, port: Nginx.Port), count: Int) async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { if place.port == .http2Clear { $0.httpVersion = .http2PriorKnowledge } }
        let folder = try TemporaryFolder()
        let result = try await client.download(
            for: Request(.get, nginx.url(place.scheme, place.port, "/photo")),
            to: folder.file("photo"),
            resuming: .automatic,
            maximumConcurrentRequestCount: count
        )
        #expect(try Data(contentsOf: folder.file("photo")) == nginx.content("/photo"))
        #expect(try folder.names == ["photo"])
        #expect(result.restart == nil)
        #expect((1...count).contains(result.concurrentRequestCount))
    }

    @Test func `a server that answers few requests at the same time gets as many`() async throws {
        let nginx = try await Nginx.shared
        let folder = try TemporaryFolder()
        let result = try await nginx.makeClient().download(
            for: Request(.get, nginx.url(.http, .plain, "/few/photo")),
            to: folder.file("photo"),
            resuming: ResumptionPolicy(maximumAttemptCount: 100),
            maximumConcurrentRequestCount: 5
        )
        #expect(try Data(contentsOf: folder.file("photo")) == nginx.content("/photo"))
        #expect(result.restart == nil)
    }

    @Test func `a call that was cancelled is continued by another number of requests over another version`()
        async throws
    {
        let nginx = try await Nginx.shared
        let folder = try TemporaryFolder()
        let counts = [(4, Nginx.Port.tls), (1, .http2), (3, .http2), (2, .tls)]
        for (count, port) in counts {
            let progress = ProgressDelegate()
            let calling = Task {
                try await nginx.makeClient().download(
                    for: Request(.get, nginx.url(.https, port, "/photo")),
                    to: folder.file("photo"),
                    resuming: .automatic,
                    maximumConcurrentRequestCount: count,
                    delegate: progress
                )
            }
            for await update in progress.received where update.byteCount > 0 { break }
            calling.cancel()
            _ = try? await calling.value
        }
        _ = try await nginx.makeClient().download(
            for: Request(.get, nginx.url(.https, .http2, "/photo")),
            to: folder.file("photo"),
            resuming: .automatic,
            maximumConcurrentRequestCount: 4
        )
        #expect(try Data(contentsOf: folder.file("photo")) == nginx.content("/photo"))
        #expect(try folder.names == ["photo"])
    }
}
