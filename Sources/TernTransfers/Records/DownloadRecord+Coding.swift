// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernRequests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The format of a record on the disk: one line of text, then JSON.
///
/// The line is `tern-download 1 sha256:…`: a magic word, the version of the format, and the SHA-256 of everything after
/// the line. A person can read the file, and no change of a byte goes unnoticed.
extension DownloadRecord {
    /// The reason that bytes are not a usable record.
    package enum Problem: Error, Hashable, Sendable {
        /// There are more bytes than a record can have.
        case tooLong
        /// The bytes do not begin with the line of a record.
        case unreadable
        /// A later version of the SDK wrote the record.
        case newerVersion(Int)
        /// The digest of the content differs from the one in the first line.
        case damaged
        /// The digest is right, but the content is not a record of this version.
        case invalid
    }

    /// The maximum length of a record, in bytes.
    ///
    /// Longer files are not read.
    package static let maximumByteCount = 64 << 10

    private static let magic = "tern-download"

    /// The record as bytes, at most ``maximumByteCount``.
    ///
    /// Equal records have equal bytes.
    package var encoded: [UInt8] {
        let content = Self.json(StoredContent(self))
        return Array("\(Self.magic) \(Self.version) sha256:\(Self.digest(of: content))\n".utf8) + content
    }

    /// Creates a record from the bytes of a file.
    ///
    /// - Parameter bytes: The bytes of the file. If it is longer, its first ``maximumByteCount`` + 1 bytes are enough.
    /// - Throws: ``Problem``.
    package init(decoding bytes: [UInt8]) throws(Problem) {
        guard bytes.count <= Self.maximumByteCount else { throw .tooLong }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw .unreadable }
        let words = bytes[..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].elementsEqual(Self.magic.utf8), let version = Self.version(words[1]) else {
            throw .unreadable
        }
        guard version <= Self.version else { throw .newerVersion(version) }
        guard version == Self.version, words.count == 3 else { throw .unreadable }
        let content = Array(bytes[(end + 1)...])
        guard words[2].elementsEqual("sha256:\(Self.digest(of: content))".utf8) else { throw .damaged }
        // Compare with the encoding, so that every record has exactly one form: no other order, no spaces, no unknown
        // or repeated keys.
        guard let stored = try? JSONDecoder().decode(StoredContent.self, from: Data(content)),
            let record = stored.record, Self.json(StoredContent(record)) == content
        else { throw .invalid }
        self = record
    }

    private static func version(_ word: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(word.count), word.allSatisfy({ 0x30...0x39 ~= $0 }), word.first != 0x30 else {
            return nil
        }
        return Int(String(decoding: word, as: UTF8.self))
    }

    private static func digest(of content: [UInt8]) -> String {
        Array(SHA256.hash(data: content)).withUnsafeBytes { Hexadecimal.digits(of: $0) }
    }

    private static func json(_ content: StoredContent) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a number that is not finite can fail to encode, and a record has none.
        return (try? encoder.encode(content)).map { Array($0) } ?? []
    }
}

/// The content of a record as JSON.
///
/// The names are in lower case, because Foundation sorts names of mixed case differently from version to version.
private struct StoredContent: Codable {
    private struct StoredDigest: Codable {
        var algorithm: String
        var hex: String
        var source: String
    }

    private var created: Int64
    private var date: Int64?
    private var digest: StoredDigest?
    private var etag: String?
    private var file: String
    private var length: Int64?
    private var media: String?
    private var modified: Int64?
    private var number: UInt64?
    private var origin: String
    private var path: String
    /// The first position of each range, and the position after its last.
    private var ranges: [[Int64]]

    init(_ record: DownloadRecord) {
        self.created = record.creationDate.secondsSince1970
        self.date = record.validator.date?.secondsSince1970
        self.digest = record.digest.map {
            StoredDigest(algorithm: $0.algorithm.rawValue, hex: $0.hexadecimal, source: $0.source.rawValue)
        }
        self.etag = record.validator.entityTag
        self.file = record.fileName
        self.length = record.completeLength
        self.media = record.mediaType
        self.modified = record.validator.lastModified?.secondsSince1970
        self.number = record.fileNumber
        self.origin = record.source.origin
        self.path = record.source.path
        let ranges = record.ranges.keepingLongest(DownloadRecord.maximumRangeCount).ranges
        self.ranges = ranges.map { [$0.lowerBound, $0.upperBound] }
    }

    /// The record; `nil` if a part is not valid.
    var record: DownloadRecord? {
        guard self.ranges.count <= DownloadRecord.maximumRangeCount,
            self.ranges.allSatisfy({ $0.count == 2 && $0[0] < $0[1] }),
            let ranges = ByteRangeSet(normalized: self.ranges.map { $0[0]..<$0[1] }),
            let validator = ResourceValidator(
                entityTag: self.etag,
                lastModified: self.modified.map { HTTPDate(secondsSince1970: $0) },
                date: self.date.map { HTTPDate(secondsSince1970: $0) }
            )
        else { return nil }
        let digest = self.digest.flatMap { stored in
            TransferDigest.Algorithm(rawValue: stored.algorithm).flatMap { algorithm in
                TransferDigest.Source(rawValue: stored.source).flatMap {
                    TransferDigest(algorithm, hexadecimal: stored.hex, from: $0)
                }
            }
        }
        return DownloadRecord(
            fileName: self.file,
            source: DownloadSource(origin: self.origin, path: self.path),
            creationDate: HTTPDate(secondsSince1970: self.created),
            validator: validator,
            completeLength: self.length,
            mediaType: self.media,
            digest: digest,
            fileNumber: self.number,
            ranges: ranges
        )
    }
}
