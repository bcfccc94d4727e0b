// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// Calls each method that the plug-in has generated from `Photos.http`.
///
/// With the arguments `serve PORT`, it only runs its server.
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "serve", let port = arguments.last.flatMap({ Int($0) }) {
            return try await PhotoServer.run(port: port) { address in
                FileHandle.standardOutput.write(Data("\(address)\n".utf8))  // without buffering
                try await Task.sleep(for: .seconds(3600))
            }
        }
        try await PhotoServer.run(port: 0) { address in
            try await Self.tell(Photos(baseURL: address))
        }
    }

    private static func tell(_ photos: Photos) async throws {
        let photo = try await photos.fetchPhoto(id: 1)
        print("fetched: \(photo.title)")

        let added = try await photos.addPhoto(title: #"A "quoted" title, with \ and ../.."#, tags: ["odd", "a/b"])
        print("added:   \(added.title), \(added.tags)")

        let found = try await photos.findPhotos(text: "quoted\" title, with \\ and ../")
        print("found:   \(found.map(\.id))")

        for try await line in try await photos.updates() { print("update:  \(line)") }

        for try await event in try await photos.viewers() {
            print("event:   \(event.viewers) people look at photo \(event.photo)")
        }

        try await photos.removePhoto(id: added.id)
        do {
            _ = try await photos.fetchPhoto(id: added.id)
        } catch {
            print("removed: \(error.status.map { "\($0)" } ?? "\(error)")")
        }
    }
}
