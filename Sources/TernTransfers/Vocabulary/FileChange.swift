// SPDX-License-Identifier: Apache-2.0
package import TernRequests

extension FileIdentity {
    /// Returns the first property by which this file differs from an earlier one.
    ///
    /// The file systems are not compared, because the system may number them differently after a restart.
    ///
    /// - Parameter earlier: The identity of the file at an earlier time.
    /// - Returns: The property; `nil` if both are the same file, and it has not changed.
    package func change(from earlier: FileIdentity) -> FileChange? {
        if self.byteCount != earlier.byteCount { return .byteCount }
        if self.modificationNanoseconds != earlier.modificationNanoseconds { return .modification }
        return self.number == earlier.number ? nil : .identity
    }
}

/// The property by which a file differs from the one that an upload began with.
package enum FileChange: Hashable, Sendable {
    /// The length.
    case byteCount
    /// The time of the last modification.
    case modification
    /// The number of the file in its file system: another file is in its place.
    case identity
    /// The digest that the caller expects of the file.
    case digest
    /// The driver noticed that the file changed while it was sent.
    case whileSending
}
