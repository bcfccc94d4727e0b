// SPDX-License-Identifier: Apache-2.0
import DemoServer

/// The server's photos, and its responses.
struct Gallery: Sendable {
    static let smallByteCount = 40_000
    static let largeByteCount = 13_100_000

    static let smallPhoto = "/photos/1"
    static let largePhoto = "/photos/large"

    private let small = DemoPhoto(byteCount: Self.smallByteCount)
    private let large = DemoPhoto(byteCount: Self.largeByteCount)

    func answer(to request: DemoRequest) -> DemoAnswer {
        let path = request.path
        if path == Self.largePhoto { return self.large.answer(to: request) }
        if path.hasPrefix("/photos/slow/") {
            // Announce more bytes than the server sends, so that the download never ends.
            return DemoAnswer(body: [1, 2, 3], announcedByteCount: Self.smallByteCount, ending: .stall)
        }
        guard path.hasPrefix("/photos/"), let number = Int(path.dropFirst("/photos/".count)), 1...12 ~= number else {
            return .notFound
        }
        return self.small.answer(to: request, cacheControl: "max-age=3600")
    }
}
