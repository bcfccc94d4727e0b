// SPDX-License-Identifier: Apache-2.0

/// The properties that show whether a file is still the same, unless a program restores its modification time.
package struct FileIdentity: Hashable, Sendable {
    package let byteCount: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    package let modificationNanoseconds: Int64
    /// The number of the inode.
    package let number: UInt64
    package let device: UInt64

    package static let none = FileIdentity()

    private init() { (self.byteCount, self.modificationNanoseconds, self.number, self.device) = (0, 0, 0, 0) }

    package init?(byteCount: Int64, modificationNanoseconds: Int64, number: UInt64, device: UInt64) {
        guard byteCount >= 0 else { return nil }
        self.byteCount = byteCount
        self.modificationNanoseconds = modificationNanoseconds
        self.number = number
        self.device = device
    }
}

extension RequestBody {
    package struct FilePart: Hashable, Sendable {
        package let range: Range<Int64>
        package let identity: FileIdentity

        package init(_ range: Range<Int64>, of identity: FileIdentity) {
            self.range = range
            self.identity = identity
        }
    }
}
