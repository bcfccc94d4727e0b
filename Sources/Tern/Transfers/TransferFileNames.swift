// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernFiles

/// The names of the files that a transfer keeps beside a file, visible, so that a person can delete what is left of it.
struct TransferFileNames: Equatable, Sendable {
    let partial: String
    let record: String
    /// The name of the next record of a download while it is written.
    let newRecord: String
    let upload: String

    private static let suffixes = (
        partial: ".tern-partial", record: ".tern-record", newRecord: ".tern-record-new", upload: ".tern-upload"
    )

    init(for name: String, maximumByteCount: Int) {
        let stem = Self.stem(of: name, maximumByteCount: maximumByteCount - Self.suffixes.newRecord.utf8.count)
        self.partial = stem + Self.suffixes.partial
        self.record = stem + Self.suffixes.record
        self.newRecord = stem + Self.suffixes.newRecord
        self.upload = stem + Self.suffixes.upload
    }

    /// Returns the name; or, if it is too long, its beginning and a hash, so that two long names stay different.
    private static func stem(of name: String, maximumByteCount: Int) -> String {
        guard name.utf8.count > maximumByteCount else { return name }
        let hash = "-" + SHA256.hash(data: Array(name.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
        return name.prefix(utf8Count: max(0, maximumByteCount - hash.utf8.count)) + hash
    }
}
