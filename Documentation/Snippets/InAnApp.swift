// SPDX-License-Identifier: Apache-2.0
// The code in the article "In an app for iOS". scripts/check snippets fails if the two copies differ.
import Foundation
import Tern
import TernTransferQueue

func suspendedDownload(_ client: Client, url: URL, file: URL) async throws {
    // snippet.ios-download
    let download = try await client.download(from: url, to: file, resuming: .automatic)
    // snippet.end
    _ = download
}

// snippet.ios-queue
@MainActor
final class Transfers {
    private let queue: TransferQueue
    private var running: Task<Void, any Error>?

    init(_ queue: TransferQueue) { self.queue = queue }

    func appBecameActive() {
        if self.running == nil {
            self.running = Task { [queue] in try await queue.run() }
        }
        self.queue.networkChanged()  // do not wait out the pauses that began before
    }

    func appEntersBackground() async {
        self.running?.cancel()  // each transfer stores what it has
        _ = await self.running?.result
        self.running = nil
    }
}
// snippet.end
