// SPDX-License-Identifier: Apache-2.0
// The code in the article in Sources/TernTransferQueue/TernTransferQueue.docc/Articles.
// scripts/check-snippets fails if the two copies differ.
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
        print("transfer \(transfer.id): \(transfer.failure?.message ?? "\(transfer.state)")")
    }
    // snippet.end
    let id = queue.transfers[0].id
    // snippet.queue-describe
    var description = TransferDescription.download(from: videoURL, to: video)
    description.priority = .high
    description.label = "Biscuit on the beach"
    let first = try await queue.add(description)
    // snippet.end
    _ = first
    // snippet.queue-pause
    try await queue.pause(id)
    try await queue.resume(id)
    try await queue.remove(id)
    try await queue.pauseAll()  // also for transfers that are added later, and for later processes
    try await queue.resumeAll()
    // snippet.end
}

func uploads(_ queue: TransferQueue, uploadURL: URL, photo: URL) async throws {
    // snippet.queue-uploads
    let options = TransferDescription.UploadOptions(uploadProtocol: .tus, maximumPartByteCount: 32 << 20)
    try await queue.add(.upload(to: uploadURL, fromFile: photo, options: options))
    // snippet.end
}

func limits(_ client: Client, state: URL) async throws {
    // snippet.queue-limits
    let limits = TransferQueueConfiguration(maximumRunningCount: 8, maximumRunningCountPerHost: 4)
    let queue = try await TransferQueue(directory: state, client: client, configuration: limits)
    // snippet.end
    _ = queue
}

struct Session: Sendable {
    func token() async throws -> String { "" }
    func sign(_ url: URL) async throws -> URL { url }
}

// snippet.queue-credentials
struct Credentials: TransferQueueDelegate {
    let session: Session

    func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request {
        request.credential(Credential(token: try await self.session.token()))
    }
}
// snippet.end

// snippet.queue-signed
struct Signatures: TransferQueueDelegate {
    let session: Session

    func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request {
        var request = request
        request.url = try await self.session.sign(request.url)  // adds a query that is valid for some minutes
        return request
    }
}
// snippet.end

func opening(_ client: Client, state: URL, session: Session) async throws {
    // snippet.queue-open
    let queue = try await TransferQueue(directory: state, client: client, delegate: Credentials(session: session))
    // snippet.end
    _ = queue
}

// snippet.queue-view
@MainActor
final class TransferList {
    private(set) var transfers: [TransferID: QueuedTransfer] = [:]
    private(set) var isOffline = false

    func follow(_ queue: TransferQueue) async {
        let changes = queue.changes  // before the present values, so that no change is missed
        for transfer in queue.transfers { self.transfers[transfer.id] = transfer }
        for await change in changes {
            switch change {
            case .transfer(let transfer): self.transfers[transfer.id] = transfer
            case .removed(let id): self.transfers[id] = nil
            case .network(let isAvailable): self.isOffline = !isAvailable
            default: break
            }
        }
    }
}
// snippet.end

// snippet.queue-daemon
func serve(_ queue: TransferQueue, incoming: some AsyncSequence<TransferDescription, Never> & Sendable) async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await queue.run() }  // until the task is cancelled
        for await description in incoming { try await queue.add(description) }
        tasks.cancelAll()  // when there is nothing more to add, such as at SIGTERM
    }
}
// snippet.end

func consent(_ queue: TransferQueue, serverHas: (URL) async throws -> Bool) async throws {
    // snippet.queue-consent
    for transfer in queue.transfers where transfer.state == .failed(.possiblyProcessed) {
        if try await serverHas(transfer.description.file) {
            try await queue.remove(transfer.id)
        } else {
            try await queue.resume(transfer.id)  // sends the file again
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

    // snippet.comment-queue-description
    var model = TransferDescription.download(from: url, to: file, expecting: checksum)
    model.priority = .high
    let id = try await queue.add(model)
    // snippet.end
    _ = id
}
