// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernFiles

/// The names of the files that a durable download keeps beside its destination until it is complete.
///
/// The names are visible, so that a person can find and delete what an abandoned download has left.
struct PartialFileNames: Equatable, Sendable {
    /// The name of the partial file.
    let partial: String
    /// The name of the record.
    let record: String
    /// The name of the next record while it is written.
    let newRecord: String

    private static let suffixes = (partial: ".tern-partial", record: ".tern-record", newRecord: ".tern-record-new")

    /// Creates the names for a destination.
    ///
    /// - Parameters:
    ///   - name: The name of the complete file.
    ///   - maximumByteCount: The maximum length of a name in the folder, in bytes.
    init(for name: String, maximumByteCount: Int) {
        let stem = Self.stem(of: name, maximumByteCount: maximumByteCount - Self.suffixes.newRecord.utf8.count)
        self.partial = stem + Self.suffixes.partial
        self.record = stem + Self.suffixes.record
        self.newRecord = stem + Self.suffixes.newRecord
    }

    /// Returns the name; or, if it is too long, its beginning and a hash, so that two long names stay different.
    private static func stem(of name: String, maximumByteCount: Int) -> String {
        guard name.utf8.count > maximumByteCount else { return name }
        let hash = "-" + SHA256.hash(data: Array(name.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
        return name.prefix(utf8Count: max(0, maximumByteCount - hash.utf8.count)) + hash
    }
}
