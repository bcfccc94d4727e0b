// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernTesting

/// Fetches many thumbnails over one connection with HTTP/2, from a server in memory: the demo's own server uses only HTTP/1.1.
struct ThumbnailsChapter: DemoChapter {
    let title = "Many thumbnails over one connection"

    static let thumbnailCount = 24

    func play(on stage: DemoStage) async throws {
        let server = ScriptedServer { _ in .response(bytes: DemoImage.make(width: 8, height: 6)) }
        let connector = MemoryConnector(server, version: .http2)
        // After the first set of thumbnails, the server sends GOAWAY, as servers do before they restart.
        connector.plan(.accept(http2: [.goAway(beforeRequest: Self.thumbnailCount + 1)]))
        var configuration = Client.Configuration()
        configuration.proxy = .direct
        let client = Client(configuration: configuration, connector: connector)

        try await self.fetch(with: client, stage)
        let streams = Set(server.requests.compactMap(\.stream))
        try stage.expect(streams.count == Self.thumbnailCount, "each request has a stream of its own")
        try stage.expect(connector.attemptCount == 1, "all requests share one connection")
        try await stage.say("\(Self.thumbnailCount) thumbnails: \(streams.count) streams over one connection, HTTP/2")

        try await self.fetch(with: client, stage)
        try stage.expect(server.requests.count == 2 * Self.thumbnailCount, "no request is lost or sent twice")
        try stage.expect(connector.attemptCount == 2, "all requests move to one other connection")
        try await stage.say("the server leaves (GOAWAY), and the next \(Self.thumbnailCount) use another connection")
    }

    private func fetch(with client: Client, _ stage: DemoStage) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 1...Self.thumbnailCount {
                tasks.addTask {
                    let url = "https://photos.example/photos/\(number)/thumbnail"
                    let (data, response) = try await client.data(for: Request(.get, url))
                    try stage.expect(response.httpVersion == .http2, "the response comes over HTTP/2")
                    try stage.expect(DemoImage(data)?.width == 8, "thumbnail \(number) is a picture")
                }
            }
            try await tasks.waitForAll()
        }
    }
}
