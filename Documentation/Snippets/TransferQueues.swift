// SPDX-License-Identifier: Apache-2.0
// The code in the article in Sources/TernTransferQueue/TernTransferQueue.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern
import TernTransferQueue

func queueing(_ client: Client, state: URL, videoURL: URL, video: URL, uploadURL: URL, photo: URL) async throws {
    // snippet.queue-run
    let queue = try await TransferQueue(directory: state, client: client)
    try await queue.add(.download(from: videoURL, to: video))
    try await queue.add(.upload(to: uploadURL, fromFile: photo))
    try await queue.runUntilIdle()
    for transfer in queue.transfers where transfer.state != .completed {
        print(transfer.id, transfer.failure?.message ?? "\(transfer.state)")
    }
    // snippet.end
    let id = queue.transfers[0].id
    // snippet.queue-pause
    try await queue.pause(id)
    try await queue.resume(id)
    try await queue.remove(id)
    try await queue.pauseAll()  // also transfers added later, and in later processes
    try await queue.resumeAll()
    // snippet.end
}

struct Session: Sendable {
    func token() async throws -> String { "" }
}

// snippet.queue-credentials
struct Credentials: TransferQueueDelegate {
    let session: Session

    func transfer(
        _ transfer: QueuedTransfer,
        willStartWith request: Request
    ) async throws -> Request {
        request.credential(Credential(token: try await self.session.token()))
    }
}
// snippet.end

func consent(_ queue: TransferQueue, serverHas: (URL) async throws -> Bool) async throws {
    // snippet.queue-consent
    for failed in queue.transfers where failed.state == .failed(.possiblyProcessed) {
        if try await serverHas(failed.description.file) {
            try await queue.remove(failed.id)
        } else {
            try await queue.resume(failed.id)  // sends the file again
        }
    }
    // snippet.end
}

func comments(_ client: Client, folder: URL, url: URL, file: URL, checksum: Checksum?) async throws {
    // snippet.comment-queue
    let queue = try await TransferQueue(directory: folder, client: client)
    try await queue.add(.download(from: url, to: file))
    try await queue.runUntilIdle()
    // snippet.end
}
