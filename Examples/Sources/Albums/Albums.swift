// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation
import Tern

/// Shows an app's models on the main actor, which is the default isolation of this module.
@main
struct Albums {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async throws { try await Self.play { print($0) } }

    /// Runs the demo; throws if a step fails.
    static func play(_ say: @escaping @MainActor (String) -> Void) async throws {
        try await DemoServer.run(answering: { AlbumServer.answer($0) }) { server in
            try await Self.show(server.address, say)
        }
    }

    private static func show(_ address: String, _ say: @MainActor (String) -> Void) async throws {
        let (activity, signIn) = (Activity(), SignIn())
        let api = AlbumAPI(at: "\(address)/v1", activity: activity, signIn: signIn)

        let list = AlbumList(api)
        await list.load()
        guard let first = list.albums.first else { throw Failure(description: list.message ?? "no albums") }
        let titles = list.albums.map(\.title).joined(separator: ", ")
        say("albums: \(titles); asked to sign in: \(signIn.askedCount) time")

        let upload = Upload()
        try await api.replaceCover(of: first, by: Data(count: AlbumServer.coverByteCount), tracking: upload)
        guard upload.isDone, upload.fraction == 1 else { throw Failure(description: "the progress is not complete") }
        say("the cover was sent: \(Int(upload.fraction * 100)) %, done")

        // When a view goes away, it cancels its task. Then the model shows no message.
        let view = Task { await list.load() }
        view.cancel()
        await view.value
        guard list.message == nil, !list.isLoading else { throw Failure(description: "a cancelled load has a message") }
        say("a view that went away shows no message")

        guard activity.count == 0, activity.total > 1 else { throw Failure(description: "the calls were not counted") }
        say("\(activity.total) calls, none in flight")

        let nowhere = AlbumList(AlbumAPI(at: "http://127.0.0.1:1", activity: activity, signIn: signIn))
        await nowhere.load()
        guard let message = nowhere.message else { throw Failure(description: "a refused connection has no message") }
        say("the app would show: \(message)")
    }
}
