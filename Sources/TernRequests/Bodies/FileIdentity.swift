// SPDX-License-Identifier: Apache-2.0

/// The properties by which a later call recognizes that a file is still the one it began to upload.
///
/// A program that writes a file changes its modification time, and a program that replaces it changes its number. A
/// program that writes the file and then restores the time goes unnoticed: only a digest finds that.
package struct FileIdentity: Hashable, Sendable {
    /// The length of the file, in bytes.
    package let byteCount: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    package let modificationNanoseconds: Int64
    /// The number of the file in its file system (the inode).
    package let number: UInt64
    /// The number of the file system (the device).
    package let device: UInt64

    /// The identity of a file that does not exist.
    package static let none = FileIdentity()

    private init() { (self.byteCount, self.modificationNanoseconds, self.number, self.device) = (0, 0, 0, 0) }

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - byteCount: The length of the file, in bytes. The result is `nil` if it is negative.
    ///   - modificationNanoseconds: The time of the last modification, in nanoseconds since 1970.
    ///   - number: The number of the file in its file system.
    ///   - device: The number of the file system.
    package init?(byteCount: Int64, modificationNanoseconds: Int64, number: UInt64, device: UInt64) {
        guard byteCount >= 0 else { return nil }
        self.byteCount = byteCount
        self.modificationNanoseconds = modificationNanoseconds
        self.number = number
        self.device = device
    }
}

extension RequestBody {
    /// A part of a file that is the body of a request.
    package struct FilePart: Hashable, Sendable {
        /// The offsets of the bytes.
        package let range: Range<Int64>
        /// The identity that the file must have, until its last bytes are sent.
        package let identity: FileIdentity

        /// Creates a part.
        package init(_ range: Range<Int64>, of identity: FileIdentity) {
            self.range = range
            self.identity = identity
        }
    }
}
