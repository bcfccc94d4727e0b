// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation

struct LiveCountsChapter: DemoChapter {
    let title = "Live favourite counts"

    static let updateCount = 8
    static let path = "/photos/updates"

    struct Update: Codable {
        var photo: Int
        var favourites: Int
    }

    func play(on stage: DemoStage) async throws {
        let updates = try await self.follow(stage, atMost: .max)
        try stage.expect(updates.count == Self.updateCount, "all \(Self.updateCount) updates arrive")

        let few = try await self.follow(stage, atMost: 3)
        try stage.expect(few.count == 3, "the loop can be left after 3 updates")
        let isClosed = try await stage.server.journal.waits(for: .disconnected(Self.path))
        try stage.expect(isClosed, "leaving the loop closes the connection")
        try await stage.say("left the loop after 3 updates: the server sees the connection close")
    }

    private func follow(_ stage: DemoStage, atMost limit: Int) async throws -> [Update] {
        var updates: [Update] = []
        let start = ContinuousClock.now
        let (bytes, response) = try await stage.client.bytes(from: stage.url(Self.path))
        try stage.expect(response.status == .ok, "\(Self.path) answers 200")
        for try await line in bytes.lines {
            let update = try JSONDecoder().decode(Update.self, from: Data(line.utf8))
            updates.append(update)
            // The server waits for this record before it sends the last update. This shows that updates arrive one by
            // one, and not all at the end.
            stage.server.journal.record(.arrived(Self.path))
            if limit == .max {
                let time = NumberFormat.time(ContinuousClock.now - start)
                try await stage.say("photo \(update.photo): \(update.favourites) favourites, after \(time)")
            }
            if updates.count == limit { break }
        }
        return updates
    }
}
