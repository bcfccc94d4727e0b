// SPDX-License-Identifier: Apache-2.0
// The code in the article "On the main actor, with SwiftUI". scripts/check snippets
// fails if the two copies differ.
import Foundation
import Observation
import Tern

// snippet.main-actor-model
struct Album: Codable, Identifiable {
    var id: Int
    var title: String
}

@MainActor @Observable
final class AlbumList {
    private(set) var albums: [Album] = []
    private(set) var message: String?
    private let client: Client

    init(client: Client) { self.client = client }

    func load() async {
        do {
            let request = Request(.get, "https://api.example.com/albums")
            self.albums = try await self.client.value(for: request)
            self.message = nil
        } catch let error where error.isCancellation {
            // The view is gone, so there is no place to show an error.
        } catch {
            self.message = error.localizedDescription
        }
    }
}
// snippet.end

#if canImport(SwiftUI)
import SwiftUI

// snippet.main-actor-view
struct AlbumView: View {
    @State var list: AlbumList

    var body: some View {
        List(self.list.albums) { Text($0.title) }
            .overlay { if let message = self.list.message { Text(message) } }
            .task { await self.list.load() }
            .refreshable { await self.list.load() }
    }
}
// snippet.end
#endif

// snippet.main-actor-delegate
@MainActor @Observable
final class Upload: TaskDelegate {
    private(set) var fraction = 0.0
    private(set) var isDone = false

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        self.fraction = progress.fractionCompleted ?? 0
    }

    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) {
        self.isDone = error == nil
    }
}
// snippet.end

@MainActor
func uploading(_ client: Client, _ file: URL) async throws {
    // snippet.main-actor-upload
    let upload = Upload()  // shown by a view
    let request = Request(.put, "https://photos.example.com/1").body(file: file)
    _ = try await client.data(for: request, delegate: upload)
    // snippet.end
}

nonisolated struct Catalogue: Decodable {
    var entries: [String]
}

@MainActor
struct API {
    var client: Client

    func get<Value: Decodable>(_ path: String) async throws(ClientError) -> Value {
        try await self.client.value(for: Request(.get, path))
    }
}

@MainActor @Observable
final class Activity: EventMonitor {
    private(set) var callCount = 0

    nonisolated func callDidBegin(_ call: MonitoredCall) {
        Task { @MainActor in self.callCount += 1 }
    }

    nonisolated func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
        Task { @MainActor in self.callCount -= 1 }
    }
}
