// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The value that is stored beside a partly downloaded file, so that a later call can continue the download.
///
/// A record is true at every moment: each of its ``ranges`` is on the disk, and belongs to the representation that the
/// ``validator`` names. The file may contain more bytes, which do not count.
package struct DownloadRecord: Hashable, Sendable {
    /// The version of the format.
    package static let version = 1
    /// The maximum number of ranges in an encoded record.
    ///
    /// If a record has more, only the longest are encoded. So the length of a record has a limit, and the bytes of the
    /// other ranges are downloaded again.
    package static let maximumRangeCount = 500
    /// The maximum length of the name of the file, in bytes, as in most file systems.
    package static let maximumFileNameByteCount = 255
    /// The maximum length of a media type, in bytes.
    ///
    /// RFC 6838 §4.2 limits a type to 127 + 1 + 127 characters; the rest is for its parameters.
    package static let maximumMediaTypeByteCount = 512

    /// The name of the partial file, in the folder of the record.
    package let fileName: String
    /// The resource, which must be the same in a later call if the validator is only a date.
    package let source: TransferResource
    /// The time when the download began.
    package let creationDate: HTTPDate
    /// The validator of the representation that the bytes belong to.
    package let validator: ResourceValidator
    /// The length of the representation; `nil` while it is not known.
    package var completeLength: Int64?
    /// The value of `Content-Type`, if the server sent one that is not too long.
    package let mediaType: String?
    /// The digest that the complete file must have; `nil` if neither the caller nor the server gave one.
    package var digest: TransferDigest?
    /// The number by which the file system identifies the partial file, which stays the same when the file is renamed.
    ///
    /// If the process ended before it deleted the record, this number tells a later call that the file is already in
    /// its place.
    package var fileNumber: UInt64?
    /// The bytes that are safe on the disk: they were written before the file was synchronized.
    package var ranges: ByteRangeSet

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - fileName: The name of the partial file. The result is `nil` if it is not the name of a file in a folder, or
    ///     too long.
    ///   - source: The resource.
    ///   - creationDate: The time when the download began.
    ///   - validator: The validator of the representation.
    ///   - completeLength: The length of the representation, if it is known. The result is `nil` if this length is
    ///     negative, or less than the end of the ranges.
    ///   - mediaType: The value of `Content-Type`, which is left out if it is too long.
    ///   - digest: The digest of the complete file, if it is known.
    ///   - fileNumber: The number of the partial file, if it is known.
    ///   - ranges: The bytes that are safe on the disk. Defaults to none.
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

    /// Whether all bytes of the representation are safe on the disk.
    package var isWhole: Bool { self.completeLength.map { self.ranges.contains(0..<$0) } ?? false }

    /// Returns whether a text is the name of a file in a folder, and not a path.
    ///
    /// A record may come from another user of the machine. The name in the record must not lead to another folder.
    private static func isFileName(_ name: String) -> Bool {
        (1...Self.maximumFileNameByteCount).contains(name.utf8.count) && name != "." && name != ".."
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}
