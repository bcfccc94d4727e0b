// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Albums

struct AlbumsTests {
    @MainActor @Test func `models of the main actor load, upload, sign in and cancel`() async throws {
        var lines: [String] = []
        try await Albums.play { lines.append($0) }
        #expect(lines.count == 5)
        #expect(lines.first == "albums: Dogs, Terns; asked to sign in: 1 time")
        #expect(lines.last?.hasPrefix("the app would show: The connection to 127.0.0.1:1 was refused") == true)
    }

    @MainActor @Test func `the preview shows albums without a network`() async {
        let list = AlbumList(.preview)
        await list.load()
        #expect(list.message == nil)
        #expect(list.albums.map(\.title) == ["Dogs", "Terns"])
    }
}
