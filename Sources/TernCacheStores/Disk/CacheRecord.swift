// SPDX-License-Identifier: Apache-2.0
import Crypto
import NIOCore
import TernCaching
import TernConnections
import TernErrors
@_spi(CrossModuleInlining) import TernTransport

/// The record of one response in the file of its URL: its head, and the expected body.
struct CacheRecord: Hashable, Sendable {
    var entry: CacheEntry
    /// The SHA-256 of the body, as hexadecimal digits.
    let bodyDigest: String

    /// Returns the size on disk of a URL's records, with their bodies.
    static func size(of records: [CacheRecord], headByteCount: Int) -> CacheSize {
        let head = CacheFiles.cost(ofByteCount: Int64(headByteCount))
        let bodies = records.map { CacheFiles.cost(ofByteCount: $0.entry.bodyByteCount) }
        return CacheSize(byteCount: bodies.reduce(head, +), entryCount: records.count)
    }

    /// The first bytes of a file of heads; the number changes with the format.
    private static let magic: [UInt8] = Array("ternHC02".utf8)
    /// The maximum length of a file of heads.
    ///
    /// Longer files are not read.
    static let maximumFileByteCount = 4 << 20

    /// Returns the records as the content of a file, with a checksum of the whole content.
    static func encode(_ records: [CacheRecord], of key: CacheKey) -> [UInt8] {
        var writer = EntryWriter()
        writer.write(Array(key.name.utf8))
        writer.write(UInt64(records.count))
        for record in records {
            writer.write(Array(record.entry.id.utf8))
            writer.write(UInt64(bitPattern: record.entry.bodyByteCount))
            writer.write(Array(record.bodyDigest.utf8))
            writer.write(record.entry.response.encoded)
        }
        let content = Self.magic + writer.bytes
        return content + Array(SHA256.hash(data: content))
    }

    /// Returns the records in a file; empty if any part of it is damaged.
    static func decode(_ bytes: [UInt8]?, of key: CacheKey) -> [CacheRecord] {
        guard let bytes, bytes.count > Self.magic.count + SHA256.byteCount, bytes.starts(with: Self.magic) else {
            return []
        }
        let content = bytes.dropLast(SHA256.byteCount)
        guard SHA256.hash(data: Array(content)) == bytes.suffix(SHA256.byteCount) else { return [] }
        var reader = EntryReader(Array(content.dropFirst(Self.magic.count)))
        // A renamed file answers no request.
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

/// A body in a file, which was checked as a whole before its first byte is returned.
///
/// Files are never modified in place, so the bytes that are read are the bytes that were checked. The file stays open,
/// even if it is deleted from its folder before the body is read.
final class VerifiedFile: ResponseBodySource {
    /// The number of bytes to read at a time.
    ///
    /// A shorter body is returned whole.
    private static let pieceByteCount = 256 << 10

    let length: Int64?

    private let file: ReadableFile
    private let turn = ReadTurn<Int64>(0)

    private init(_ file: ReadableFile) {
        self.file = file
        self.length = file.byteCount
    }

    /// The result of opening a body.
    enum Outcome {
        case whole(ResponseBody)
        /// The body is missing, or differs from its record.
        case altered
        /// The body cannot be read now, because of a lack of descriptors or a disk error.
        case unavailable
    }

    /// Opens a body, and reads it once to check it against its record.
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
