// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import Synchronization
import Tern
import TernFoundation
import TernTransferQueue

/// Downloads half of a large photo with a queue, and continues with another queue in the same directory.
struct TransferQueueChapter: DemoChapter {
    let title = "Queue three downloads, lose the connection halfway, and continue"

    /// The path of the photo, of which the server sends only the first half until the client asks for the rest.
    static let largePath = "/photos/2/original"

    private static let downloads = [
        (path: "photos/2/original", name: "original.photo"), (path: "photos/1/image", name: "biscuit.ppm"),
        (path: "photos/1", name: "biscuit.json"),
    ]

    func play(on stage: DemoStage) async throws {
        let directory = stage.folder.file("queue")
        let half = try await self.runHalf(directory, stage)
        try await self.runRest(directory, stage, after: half)

        let parts = stage.server.sentParts.withLock { $0 }
        try stage.expect(parts.count == 2, "the client asks twice for the large photo")
        let counts = parts.map { NumberFormat.bytes(Int64($0.count)) }.joined(separator: " and then ")
        let sent = Int64(parts.reduce(0) { $0 + $1.count })
        try stage.expect(sent == Int64(DemoPhoto.byteCount), "the server sends no byte twice")
        try await stage.say("the server sent \(counts): each of the \(sent) bytes once")
    }

    /// Runs the queue until half of the large photo has arrived, and then releases it, as when an app quits.
    private func runHalf(_ directory: URL, _ stage: DemoStage) async throws -> Int64 {
        // A long delay, so that this queue does not try again before it stops.
        let backoff = Backoff(initialDelay: .seconds(60), maximumDelay: .seconds(60), factor: 1, jitter: .none)
        let queue = try await TransferQueue(
            directory: directory,
            client: stage.client,
            configuration: TransferQueueConfiguration(backoff: backoff)
        )
        for download in Self.downloads {
            try await queue.add(.download(from: stage.url(download.path), to: stage.folder.file(download.name)))
        }
        try await stage.say("added \(queue.transfers.count) downloads, which are now on the disk")
        let changes = queue.changes
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await queue.run() }
            for await _ in changes where queue.transfers.allSatisfy(Self.hasStopped) { break }
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
        let transfers = queue.transfers
        let done = transfers.filter { $0.state == .completed }.count
        let bytes = transfers.first?.progress.byteCount ?? 0
        try stage.expect(done == Self.downloads.count - 1, "the two short downloads are complete")
        try stage.expect(bytes == Int64(DemoPhoto.byteCount / 2), "half of the large photo has arrived")
        let text = "\(NumberFormat.bytes(bytes)) of \(NumberFormat.bytes(Int64(DemoPhoto.byteCount)))"
        try await stage.say("the connection breaks after \(text); \(done) other files are complete; the app quits")
        return bytes
    }

    private func runRest(_ directory: URL, _ stage: DemoStage, after half: Int64) async throws {
        let queue = try await TransferQueue(directory: directory, client: stage.client)
        let large = queue.transfers.first
        try stage.expect(large?.progress.byteCount == half, "the queue knows how many bytes there are")
        try await stage.say("started again: the queue knows \(NumberFormat.bytes(half)) of the large photo")
        if let large { try await queue.resume(large.id) }  // at once, and not after the delay
        try await queue.runUntilIdle()
        let isComplete = queue.transfers.allSatisfy { $0.state == .completed }
        try stage.expect(isComplete, "all downloads are complete")
        let original = try Data(contentsOf: stage.folder.file(UploadChapter.fileName))
        let file = stage.folder.file(Self.downloads[0].name)
        try stage.expect(try Data(contentsOf: file) == original, "the downloaded file equals the uploaded one")
        try await stage.say("complete, and equal to the original, byte for byte")
    }

    private static func hasStopped(_ transfer: QueuedTransfer) -> Bool {
        switch transfer.state {
        case .completed, .failed, .delayed: true
        case .waiting, .running, .paused: false
        }
    }
}

extension DemoServer {
    struct Part: Equatable, Sendable {
        var start: Int
        var count: Int
    }
}

extension DemoConnection {
    /// Sends the part that the client asks for (RFC 9110 §14); the first time, sends half, and then closes the connection.
    @concurrent
    mutating func sendLargePhoto(of server: DemoServer) async throws {
        let photo = server.uploadedPhoto.withLock { $0 }
        let tag = photo.withUnsafeReadableBytes { "\"\(DemoPhoto.checksum(of: $0))\"" }
        let total = photo.readableBytes
        let start = self.requestedOffset(ifUnchanged: tag).map { min($0, total) }
        let isFirst = server.sentParts.withLock { $0.isEmpty }
        let end = isFirst ? total / 2 : total
        var fields: HTTPHeaders = ["etag": tag]
        if let start { fields.add(name: "content-range", value: "bytes \(start)-\(total - 1)/\(total)") }
        try await self.begin(
            start == nil ? .ok : .partialContent,
            type: "application/octet-stream",
            length: total - (start ?? 0),
            fields
        )
        var offset = start ?? 0
        server.sentParts.withLock { $0.append(.init(start: offset, count: end - offset)) }
        while offset < end,
            let piece = photo.getSlice(at: photo.readerIndex + offset, length: min(64 << 10, end - offset))
        {
            try await self.send(piece)
            offset += piece.readableBytes
        }
        guard !isFirst else {
            try await self.flush()
            throw Disconnected()
        }
        try await self.end()
    }

    private func requestedOffset(ifUnchanged tag: String) -> Int? {
        guard let range = self.range, range.hasPrefix("bytes="), self.ifRange == tag else { return nil }
        return Int(range.dropFirst(6).prefix { $0 != "-" })
    }
}
