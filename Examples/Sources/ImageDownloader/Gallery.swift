// SPDX-License-Identifier: Apache-2.0
import DemoServer

/// The photos that the server has.
struct Gallery: Sendable {
    /// How long most photos are.
    static let smallByteCount = 40_000
    /// How long the large one is: 13.1 MB.
    static let largeByteCount = 13_100_000

    /// Where a small one is.
    static let smallPhoto = "/photos/1"
    /// Where the large one is.
    static let largePhoto = "/photos/large"

    private let small = DemoPhoto(byteCount: Self.smallByteCount)
    private let large = DemoPhoto(byteCount: Self.largeByteCount)

    func answer(to request: DemoRequest) -> DemoAnswer {
        let path = request.path
        if path == Self.largePhoto { return self.large.answer(to: request) }
        if path.hasPrefix("/photos/slow/") {
            // The rest never comes.
            return DemoAnswer(body: [1, 2, 3], announcedByteCount: Self.smallByteCount, ending: .stall)
        }
        guard path.hasPrefix("/photos/"), let number = Int(path.dropFirst("/photos/".count)), 1...12 ~= number else {
            return .notFound
        }
        return self.small.answer(to: request, cacheControl: "max-age=3600")
    }
}
