// SPDX-License-Identifier: Apache-2.0
import DemoTerminal
import Foundation
import Tern

/// Updates one file of the mirror: asks whether the file has changed, resumes an interrupted transfer, and retries.
struct FileFetch: Sendable {
    enum Outcome: Equatable, Sendable {
        case unchanged
        /// The first `resumedAt` bytes of the file are from an earlier attempt.
        case fetched(byteCount: Int64, resumedAt: Int64)
    }

    /// The server sent a wrong part, or refused the requested one; the next attempt starts over.
    struct UnusablePart: Error, CustomStringConvertible {
        var description: String { "the server does not send the requested parts" }
    }

    let item: MirrorItem
    let client: Client
    let folder: MirrorFolder
    let ledger: Ledger
    /// Decides when to retry after a network error, or after a response such as 503.
    let retrying: Retrying
    let bars: ProgressBars

    func run() async throws -> Outcome {
        try self.folder.prepare(self.item)
        defer { self.bars.remove(self.item.path) }
        var attempt = 0
        while true {
            do {
                return try await self.attempt()
            } catch {
                attempt += 1
                guard let delay = self.retrying.delay(before: attempt, after: error) else { throw error }
                try await Task.sleep(for: delay)
            }
        }
    }

    // MARK: One attempt

    private func attempt() async throws -> Outcome {
        var resumedAt: Int64?
        while true {
            let entry = await self.ledger[self.item]
            let kept = entry.partTag == nil ? 0 : MirrorFolder.byteCount(self.folder.part(self.item)) ?? 0
            let (bytes, response) = try await self.client.bytes(for: self.request(entry, kept))
            switch response.statusCode {
            case 304: return .unchanged
            case 206:
                guard kept > 0, Self.isSame(response, entry),
                    let range = response[.contentRange].flatMap(ContentRange.init),
                    range.start == kept
                else { return try await self.startOver() }
                resumedAt = resumedAt ?? kept
                let byteCount = try await self.store(bytes, keeping: kept, of: range.total)
                guard byteCount - 1 == range.end else { return try await self.startOver() }
                // "A client MUST inspect a 206 response's Content-Type and Content-Range field(s) to determine what
                // parts are enclosed and whether additional requests are needed" (RFC 9110 §15.3.7). Additional
                // requests are needed if the file is longer than the part, or if the server does not say how long it
                // is.
                if byteCount == range.total { return try await self.finish(response, byteCount, resumedAt ?? 0) }
            case 416:
                // The part has all bytes of the file. The last attempt ended before it moved the file, or did not know
                // the file's length.
                let total = response[.contentRange].flatMap(ContentRange.total)
                guard kept > 0, total == kept, Self.isSame(response, entry) else { return try await self.startOver() }
                return try await self.finish(response, kept, resumedAt ?? kept)
            default: return try await self.whole(bytes, response)
            }
        }
    }

    /// Whether a response is for the version of the part: without a tag it is, because the request had an `If-Range`.
    private static func isSame(_ response: Response, _ entry: Ledger.Entry) -> Bool {
        response[.eTag] == nil || response[.eTag] == entry.partTag
    }

    /// Returns a request for the rest of a part, or for the whole file if it has changed.
    private func request(_ entry: Ledger.Entry, _ kept: Int64) -> Request {
        // A range counts the bytes that the server sends, so the content must not be compressed.
        var request = Request(url: self.item.url).header(.acceptEncoding, "identity")
            .validate(.status([200, 206, 304, 416]))
        if kept > 0, let tag = entry.partTag {
            // The server sends the rest if the file is unchanged, and otherwise the whole file (RFC 9110 §13.1.5).
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

    private func whole(_ bytes: ResponseBytes, _ response: Response) async throws -> Outcome {
        // The program may end between the two steps. So first remove the bytes of the old version, and then record the
        // new tag.
        try self.folder.openPart(self.item, keeping: 0).close()
        // Two files with the same weak tag may have different bytes (RFC 9110 §8.8.1). So a transfer with a weak tag
        // cannot be resumed.
        let tag = response[.eTag].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        try await self.ledger.note(self.item) { $0.partTag = tag }
        return try await self.finish(response, self.store(bytes, keeping: 0, of: bytes.length), 0)
    }

    /// Appends a body to the part, and returns the number of bytes that the part then has.
    private func store(_ bytes: ResponseBytes, keeping kept: Int64, of total: Int64?) async throws -> Int64 {
        let handle = try self.folder.openPart(self.item, keeping: kept)
        defer { try? handle.close() }
        var byteCount = kept
        for try await piece in bytes.chunks {  // throws if the connection ends before the body
            try handle.write(contentsOf: piece)
            byteCount += Int64(piece.count)
            self.bars.show(ProgressBar(self.item.path, byteCount, of: total))
        }
        return byteCount
    }

    private func finish(_ response: Response, _ byteCount: Int64, _ resumedAt: Int64) async throws -> Outcome {
        try self.folder.finish(self.item)
        let (tag, date) = (response[.eTag], response[.lastModified])
        try await self.ledger.note(self.item) { entry in
            entry = Ledger.Entry(entityTag: tag ?? entry.partTag, lastModified: date, byteCount: byteCount)
        }
        return .fetched(byteCount: byteCount, resumedAt: resumedAt)
    }
}
