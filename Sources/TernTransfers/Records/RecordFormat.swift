// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernFoundation
import TernRequests

/// The format of a record on the disk: one line of text, then JSON.
///
/// The line, such as `tern-download 1 sha256:…`, has a magic word, the version of the format, and the SHA-256 of everything after
/// it, so that no change of a byte goes unnoticed.
package struct RecordFormat<Content: RecordContent>: Sendable {
    let magic: String
    let version: Int

    package init(magic: String, version: Int) {
        self.magic = magic
        self.version = version
    }

    /// Equal records have equal bytes.
    package func encode(_ record: Content.Record) -> [UInt8] {
        let content = Self.json(Content(record))
        return Array("\(self.magic) \(self.version) sha256:\(Self.digest(of: content))\n".utf8) + content
    }

    /// Returns the record in a file, of which the first ``RecordProblem/maximumByteCount`` + 1 bytes are enough.
    package func decode(_ bytes: [UInt8]) throws(RecordProblem) -> Content.Record {
        guard bytes.count <= RecordProblem.maximumByteCount else { throw .tooLong }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw .unreadable }
        let words = bytes[..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].elementsEqual(self.magic.utf8), let version = Self.version(words[1]) else {
            throw .unreadable
        }
        guard version <= self.version else { throw .newerVersion(version) }
        guard version == self.version, words.count == 3 else { throw .unreadable }
        let content = Array(bytes[(end + 1)...])
        guard words[2].elementsEqual("sha256:\(Self.digest(of: content))".utf8) else { throw .damaged }
        // Compare with the encoding, so that every record has exactly one form: no other order, no spaces, no unknown
        // or repeated keys.
        guard let stored = try? JSONDecoder().decode(Content.self, from: Data(content)), let record = stored.record,
            Self.json(Content(record)) == content
        else { throw .invalid }
        return record
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

    private static func json(_ content: Content) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a number that is not finite can fail to encode, and a record has none.
        return (try? encoder.encode(content)).map { Array($0) } ?? []
    }
}

/// The content of a record as JSON, with keys in lower case: Foundation sorts mixed case differently from version to version.
package protocol RecordContent: Codable {
    associatedtype Record

    init(_ record: Record)

    /// `nil` if a part is not valid.
    var record: Record? { get }
}

struct StoredDigest: Codable {
    private var algorithm: String
    private var hex: String
    private var source: String

    init(_ digest: TransferDigest) {
        self.algorithm = digest.algorithm.rawValue
        self.hex = digest.hexadecimal
        self.source = digest.source.rawValue
    }

    var digest: TransferDigest? {
        guard let algorithm = HashAlgorithm(rawValue: self.algorithm),
            let source = TransferDigest.Source(rawValue: self.source)
        else { return nil }
        return TransferDigest(algorithm, hexadecimal: self.hex, from: source)
    }
}
