// SPDX-License-Identifier: Apache-2.0
import Crypto
import NIOCore
import TernCaching
import TernConnections
import TernErrors
@_spi(CrossModuleInlining) import TernTransport

/// The record of one response in the head file of its URL: the head, and the length and digest of the body.
struct CacheRecord: Hashable, Sendable {
    var entry: CacheEntry
    let bodyDigest: String

    static func size(of records: [CacheRecord], headByteCount: Int) -> CacheSize {
        let head = CacheFiles.cost(ofByteCount: Int64(headByteCount))
        let bodies = records.map { CacheFiles.cost(ofByteCount: $0.entry.bodyByteCount) }
        return CacheSize(byteCount: bodies.reduce(head, +), entryCount: records.count)
    }

    /// The number at the end changes with the format.
    private static let magic: [UInt8] = Array("ternHC02".utf8)
    /// In bytes; the store writes and reads no longer files.
    static let maximumFileByteCount = 4 << 20

    /// Returns the content of a head file, which ends with a checksum of the rest, and the records in it.
    ///
    /// If the file has no room for all records, the last ones are left out. So is a record whose head could not be read again.
    static func encode(_ records: [CacheRecord], of key: CacheKey) -> (content: [UInt8], records: [CacheRecord]) {
        var writer = EntryWriter()
        writer.write(Array(key.name.utf8))
        // The number of records takes 8 bytes.
        let room = Self.maximumFileByteCount - Self.magic.count - writer.bytes.count - 8 - SHA256.byteCount
        var kept: [CacheRecord] = []
        var parts: [UInt8] = []
        for record in records {
            guard let part = record.encoded, part.count <= room else { continue }
            guard parts.count + part.count <= room else { break }
            parts += part
            kept.append(record)
        }
        writer.write(UInt64(kept.count))
        let content = Self.magic + writer.bytes + parts
        return (content + Array(SHA256.hash(data: content)), kept)
    }

    /// `nil` if the head exceeds a limit of `StoredResponse`, so that it could not be read again.
    private var encoded: [UInt8]? {
        let head = self.entry.response.encoded
        guard StoredResponse(decoding: head) != nil else { return nil }
        var writer = EntryWriter()
        writer.write(Array(self.entry.id.utf8))
        writer.write(UInt64(bitPattern: self.entry.bodyByteCount))
        writer.write(Array(self.bodyDigest.utf8))
        writer.write(head)
        return writer.bytes
    }

    /// Returns no records if any part of the content is damaged.
    static func decode(_ bytes: [UInt8]?, of key: CacheKey) -> [CacheRecord] {
        guard let bytes, bytes.count > Self.magic.count + SHA256.byteCount, bytes.starts(with: Self.magic) else {
            return []
        }
        let content = bytes.dropLast(SHA256.byteCount)
        guard SHA256.hash(data: Array(content)) == bytes.suffix(SHA256.byteCount) else { return [] }
        var reader = EntryReader(Array(content.dropFirst(Self.magic.count)))
        // Ignore a file that was renamed: its records are for another URL.
        guard reader.text(64) == key.name, let count = reader.number(),
            count <= UInt64(DiskCacheStore.maximumVariantCount)
        else { return [] }
        var records: [CacheRecord] = []
        for _ in 0..<count {
            guard let id = reader.text(64), CacheFiles.Kind.body.isName(id), let length = reader.number(),
                let byteCount = Int64(exactly: length), let digest = reader.text(64),
                let head = reader.bytes(Self.maximumFileByteCount),
                let response = StoredResponse(decoding: Array(head))
            else { return [] }
            let entry = CacheEntry(id: id, response: response, bodyByteCount: byteCount)
            records.append(CacheRecord(entry: entry, bodyDigest: digest))
        }
        return reader.isAtEnd ? records : []
    }
}

/// The body of a stored response in a file, which is checked as a whole before the first byte is returned.
///
/// The store never modifies a file in place, and the file stays open, so a reader gets the bytes that were checked.
final class VerifiedFile: ResponseBodySource {
    /// A body of at most this length is kept in memory and returned as a whole.
    private static let pieceByteCount = 256 << 10

    let length: Int64?

    private let file: ReadableFile
    private let turn = ReadTurn<Int64>(0)

    private init(_ file: ReadableFile) {
        self.file = file
        self.length = file.byteCount
    }

    enum Outcome {
        case whole(ResponseBody)
        /// The body is missing, cannot be read to its end, may come from another user, or does not match its record.
        case altered
        /// The file cannot be opened now, for example because no file descriptor is free.
        case unavailable
    }

    static func open(_ files: CacheFiles, _ record: CacheRecord) async -> Outcome {
        do throws(FileReadError) {
            let file = try files.open(.body, record.entry.id)
            guard file.byteCount == record.entry.bodyByteCount else { return .altered }
            var hasher = SHA256()
            var offset: Int64 = 0
            var piece = ByteBuffer()
            while offset < file.byteCount {
                let count = Int(min(Int64(Self.pieceByteCount), file.byteCount - offset))
                piece = try await file.read(byteCount: count, at: offset)
                piece.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
                offset += Int64(count)
            }
            guard hasher.finalize().hexadecimal == record.bodyDigest else { return .altered }
            let isShort = file.byteCount <= Int64(Self.pieceByteCount)
            return .whole(isShort ? ResponseBody(piece) : ResponseBody(VerifiedFile(file)))
        } catch {
            switch error.reason {
            case .fileNotFound, .notAFile, .fileChanged: return .altered
            default: return .unavailable
            }
        }
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        let context = ClientError.Context(phase: .body)
        guard let offset = try self.turn.take(context) else { return nil }
        let count = min(Int64(Self.pieceByteCount), self.file.byteCount - offset)
        guard count > 0 else {
            self.turn.end()
            return nil
        }
        do throws(FileReadError) {
            let bytes = try await self.file.read(byteCount: Int(count), at: offset)
            self.turn.giveBack(offset + count)
            return bytes
        } catch {
            self.turn.end()
            throw .truncated(received: offset, expected: self.length, context)
        }
    }

    /// The file stays open until the body is released.
    func discard() { _ = self.turn.discard() }
}
