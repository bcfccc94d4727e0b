// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The value that is stored beside a partly downloaded file, so that a later call can continue the download.
///
/// A record is true at every moment: each of its ``ranges`` is on the disk, and belongs to the representation that the
/// ``validator`` names. Other bytes of the file do not count.
package struct DownloadRecord: Hashable, Sendable {
    package static let version = 1
    /// Only the longest are encoded, to limit the length of a record; the bytes of the others are downloaded again.
    package static let maximumRangeCount = 500
    /// In bytes, as in most file systems.
    package static let maximumFileNameByteCount = 255
    /// RFC 6838 §4.2 limits a type to 127 + 1 + 127 characters; the rest is for its parameters.
    package static let maximumMediaTypeByteCount = 512

    /// The name of the partial file, in the folder of the record.
    package let fileName: String
    /// Must be the same in a later call if the validator is only a date, and bytes are missing.
    package let source: TransferResource
    package let creationDate: HTTPDate
    package let validator: ResourceValidator
    package var completeLength: Int64?
    package let mediaType: String?
    package var digest: TransferDigest?
    /// The number of the partial file, which stays when the file is renamed, and so tells a later call that the file is in its
    /// place.
    package var fileNumber: UInt64?
    /// The bytes that were written before the file was synchronized.
    package var ranges: ByteRangeSet

    /// Returns `nil` if the name is not that of a file in a folder, or if the length is less than the end of the ranges; leaves
    /// out a media type that is too long.
    package init?(
        fileName: String,
        source: TransferResource,
        creationDate: HTTPDate,
        validator: ResourceValidator,
        completeLength: Int64?,
        mediaType: String?,
        digest: TransferDigest? = nil,
        fileNumber: UInt64? = nil,
        ranges: ByteRangeSet = ByteRangeSet()
    ) {
        guard Self.isFileName(fileName), completeLength.map({ $0 >= ranges.end }) ?? true else { return nil }
        self.fileName = fileName
        self.source = source
        self.creationDate = creationDate
        self.validator = validator
        self.completeLength = completeLength
        self.mediaType = mediaType.flatMap { $0.utf8.count <= Self.maximumMediaTypeByteCount ? $0 : nil }
        self.digest = digest
        self.fileNumber = fileNumber
        self.ranges = ranges
    }

    package var isWhole: Bool { self.completeLength.map { self.ranges.contains(0..<$0) } ?? false }

    /// Checks that the name leads to no other folder, because a record may come from another user of the machine.
    private static func isFileName(_ name: String) -> Bool {
        (1...Self.maximumFileNameByteCount).contains(name.utf8.count) && name != "." && name != ".."
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}
