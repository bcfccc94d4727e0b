// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernCaching

/// What the file of a URL says of one response: its head, and what its body must be.
struct CacheRecord: Hashable, Sendable {
    var entry: CacheEntry
    /// The SHA-256 of the body, as hexadecimal digits.
    let bodyDigest: String

    /// What it takes on the disk, about: heads of one URL share a file.
    var byteCount: Int64 { self.entry.bodyByteCount + CacheFiles.estimatedHeadByteCount }

    /// What such a file begins with; another number, should its form change.
    private static let magic: [UInt8] = Array("ternHC01".utf8)
    /// How long a file of heads may be; longer ones are not read.
    static let maximumFileByteCount = 4 << 20

    /// The records as the content of a file, with a checksum of it all.
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

    /// The records of a file; none if anything of it is not as it was written.
    static func decode(_ bytes: [UInt8]?, of key: CacheKey) -> [CacheRecord] {
        guard let bytes, bytes.count > Self.magic.count + SHA256.byteCount, bytes.starts(with: Self.magic) else {
            return []
        }
        let content = bytes.dropLast(SHA256.byteCount)
        guard SHA256.hash(data: Array(content)) == bytes.suffix(SHA256.byteCount) else { return [] }
        var reader = EntryReader(Array(content.dropFirst(Self.magic.count)))
        // A file that was given another name answers nothing.
        guard reader.text(64) == key.name, let count = reader.number(),
            count <= UInt64(DiskCacheStore.maximumVariantCount)
        else { return [] }
        var records: [CacheRecord] = []
        for _ in 0..<count {
            guard let id = reader.text(64), CacheFiles.isName(id), let length = reader.number(),
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
