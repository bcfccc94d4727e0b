// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation
import Synchronization

/// The photos on the server, and its responses.
final class PhotoAlbum: Sendable {
    static let user = "anna"
    static let password = "woof"

    private struct State {
        var photos: [Photo]
        var files: [[UInt8]]
        var admirers: Set<Int> = []
    }

    private let state: Mutex<State>

    init() {
        let titles = ["Biscuit on the beach", "Biscuit in the snow", "Biscuit asleep"]
        let files = (1...3).map { DemoPhoto(byteCount: $0 * 400_000, seed: UInt64($0)).bytes }
        let photos = zip(titles, files).enumerated().map { index, pair in
            Photo(id: index + 1, title: pair.0, favourites: 41 + index, byteCount: pair.1.count)
        }
        self.state = Mutex(State(photos: photos, files: files))
    }

    func answer(_ request: DemoRequest) -> DemoAnswer {
        let path = request.path.split(separator: "/").map(String.init)
        switch (request.method, path.first, path.dropFirst().first.flatMap { Int($0) }, path.dropFirst(2).first) {
        case ("GET", "photos", nil, nil): return .json(self.state.withLock { $0.photos })
        case ("POST", "photos", nil, nil): return self.add(request)
        case ("GET", "photos", let id?, nil): return self.photo(id).map { .json($0) } ?? .notFound
        case ("GET", "photos", let id?, "file"): return self.file(id)
        case ("PUT", "photos", let id?, "favourite"): return self.makeFavourite(id, request)
        case ("GET", "counts", nil, nil): return self.counts()
        default: return .notFound
        }
    }

    private func photo(_ id: Int) -> Photo? { self.state.withLock { $0.photos.first { $0.id == id } } }

    private func file(_ id: Int) -> DemoAnswer {
        self.state.withLock { state in
            guard state.files.indices.contains(id - 1) else { return .notFound }
            return DemoAnswer(type: "image/x-demo", body: state.files[id - 1])
        }
    }

    private func add(_ request: DemoRequest) -> DemoAnswer {
        let items = URLComponents(string: request.target)?.queryItems ?? []
        let title = items.first { $0.name == "title" }?.value ?? "Untitled"
        return self.state.withLock { state in
            let photo = Photo(id: state.photos.count + 1, title: title, favourites: 0, byteCount: request.body.count)
            state.photos.append(photo)
            state.files.append(request.body)
            return .json(photo, status: 201)
        }
    }

    /// Marks a photo as a favourite, or asks for the user name and the password if they are missing or wrong (RFC 7617 §2).
    private func makeFavourite(_ id: Int, _ request: DemoRequest) -> DemoAnswer {
        let userPass = Data("\(Self.user):\(Self.password)".utf8).base64EncodedString()
        guard request["authorization"] == "Basic \(userPass)" else {
            let challenge = ("www-authenticate", "Basic realm=\"Photos\", charset=\"UTF-8\"")
            return DemoAnswer(status: 401, fields: [challenge], body: Array("Who are you?\n".utf8))
        }
        return self.state.withLock { state in
            guard let index = state.photos.firstIndex(where: { $0.id == id }) else { return .notFound }
            if state.admirers.insert(id).inserted { state.photos[index].favourites += 1 }
            return .json(state.photos[index])
        }
    }

    /// Simulates a person who marks a photo every tenth of a second, as long as a client reads.
    private func counts() -> DemoAnswer {
        DemoAnswer(
            type: "application/x-ndjson",
            pieces: AsyncStream(unfolding: {
                try? await Task.sleep(for: .milliseconds(100))
                guard !Task.isCancelled else { return nil }
                return self.state.withLock { state in
                    let index = Int.random(in: 0..<state.photos.count)
                    state.photos[index].favourites += 1
                    let photo = state.photos[index]
                    return DemoAnswer.line(FavouriteCount(photo: photo.id, favourites: photo.favourites))
                }
            })
        )
    }
}

extension DemoAnswer {
    static func json(_ value: some Encodable, status: Int = 200) -> DemoAnswer {
        DemoAnswer(status: status, type: "application/json", body: Self.line(value))
    }

    /// Returns one line of JSON; encoding cannot fail for the types of this example.
    static func line(_ value: some Encodable) -> [UInt8] {
        Array((try? JSONEncoder().encode(value)) ?? Data()) + [UInt8(ascii: "\n")]
    }
}
