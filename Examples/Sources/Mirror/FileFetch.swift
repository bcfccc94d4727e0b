// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Foundation
import Tern

/// Brings one file of the mirror up to date: asks whether it has changed, goes on where it stopped, and tries again.
struct FileFetch: Sendable {
    /// How it ended.
    enum Outcome: Equatable, Sendable {
        case unchanged
        /// It was fetched; so many bytes of it were there from an earlier try.
        case fetched(byteCount: Int64, resumedAt: Int64)
    }

    /// The server gave a part that was not asked for, or refused the one that was; the next try begins anew.
    struct UnusablePart: Error {}

    let item: MirrorItem
    let client: Client
    let folder: MirrorFolder
    let ledger: Ledger
    /// How often to try again after a fault of the network, or of a server that says "later".
    let retryCount: Int
    let bars: ProgressBars

    func run() async throws -> Outcome {
        try self.folder.prepare(self.item)
        defer { self.bars.remove(self.item.path) }
        var attempt = 0
        while true {
            do {
                return try await self.attempt()
            } catch let error where attempt < self.retryCount && Self.isWorthAnotherTry(error) {
                attempt += 1
                // Twice as long each time, and at random, so that many files do not come back at once.
                try await Task.sleep(for: .seconds(Double.random(in: 0...0.2) * Double(1 << attempt)))
            }
        }
    }

    private static func isWorthAnotherTry(_ error: any Error) -> Bool {
        (error as? ClientError)?.isRetryable ?? (error is UnusablePart)
    }

    // MARK: One try

    private func attempt() async throws -> Outcome {
        let entry = await self.ledger[self.item]
        let kept = entry.partTag == nil ? 0 : MirrorFolder.byteCount(self.folder.part(self.item)) ?? 0
        let request = self.request(entry, kept)
        let (bytes, response) = try await self.client.bytes(for: request)
        switch response.statusCode {
        case 304: return .unchanged
        case 206:
            guard let range = response[.contentRange].flatMap({ ContentRange($0) }), range.start == kept,
                response[.eTag] == nil || response[.eTag] == entry.partTag
            else { return try await self.startOver() }
            return try await self.store(bytes, response, keeping: kept, of: range.total)
        case 416: return try await self.startOver()
        default:
            // First the bytes of another version go, then the tag changes: the program may end between the two.
            try self.folder.openPart(self.item, keeping: 0).close()
            // A weak tag does not say that the bytes are the same (RFC 9110 §8.8.1): such a part cannot be continued.
            let tag = response[.eTag].flatMap { $0.hasPrefix("W/") ? nil : $0 }
            try await self.ledger.note(self.item) { $0.partTag = tag }
            return try await self.store(bytes, response, keeping: 0, of: nil)
        }
    }

    /// Asks for the rest of a part, or for the file if it has changed.
    private func request(_ entry: Ledger.Entry, _ kept: Int64) -> Request {
        // Ranges count the bytes of what is sent, so it had better not be compressed.
        var request = Request(url: self.item.url).header(.acceptEncoding, "identity")
            .validate(.status([200, 206, 304, 416]))
        if kept > 0, let tag = entry.partTag {
            // "Give me the rest if it is still the same, else all of it" (RFC 9110 §13.1.5).
            return request.header(.range, "bytes=\(kept)-").header(.ifRange, tag)
        }
        if let byteCount = entry.byteCount, MirrorFolder.byteCount(self.folder.file(self.item)) == byteCount {
            if let tag = entry.entityTag { request = request.header(.ifNoneMatch, tag) }
            if let date = entry.lastModified { request = request.header(.ifModifiedSince, date) }
        }
        return request
    }

    private func startOver() async throws -> Outcome {
        try await self.ledger.note(self.item) { $0.partTag = nil }
        throw UnusablePart()
    }

    // MARK: The file

    private func store(
        _ bytes: ResponseBytes,
        _ response: Response,
        keeping kept: Int64,
        of announced: Int64?
    ) async throws -> Outcome {
        let handle = try self.folder.openPart(self.item, keeping: kept)
        defer { try? handle.close() }
        let total = announced ?? bytes.length.map { $0 + kept }
        var byteCount = kept
        for try await piece in bytes.chunks {  // ends in an error if the connection does before the body
            try handle.write(contentsOf: piece)
            byteCount += Int64(piece.count)
            self.bars.show(ProgressBar(self.item.path, byteCount, of: total))
        }
        if let announced, announced != byteCount { return try await self.startOver() }
        try self.folder.finish(self.item)
        let (tag, date, count) = (response[.eTag], response[.lastModified], byteCount)
        try await self.ledger.note(self.item) { entry in
            entry = Ledger.Entry(entityTag: tag ?? entry.partTag, lastModified: date, byteCount: count)
        }
        return .fetched(byteCount: byteCount, resumedAt: kept)
    }
}
