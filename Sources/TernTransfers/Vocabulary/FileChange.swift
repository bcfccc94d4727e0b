// SPDX-License-Identifier: Apache-2.0
package import TernRequests

extension FileIdentity {
    /// Returns the first property that differs; the file systems are not compared, because their numbers may change with a
    /// restart.
    package func change(from earlier: FileIdentity) -> FileChange? {
        if self.byteCount != earlier.byteCount { return .byteCount }
        if self.modificationNanoseconds != earlier.modificationNanoseconds { return .modification }
        return self.number == earlier.number ? nil : .identity
    }
}

/// The property by which a file differs from the one that an upload began with.
package enum FileChange: Hashable, Sendable {
    case byteCount
    case modification
    /// The number of the file in its file system differs.
    case identity
    /// The digest in the configuration differs from that in the record.
    case digest
    case whileSending
}
