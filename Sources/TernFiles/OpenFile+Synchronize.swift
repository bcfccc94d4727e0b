// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension OpenFile {
    /// Writes the data of an open file to the disk, and returns when it is there.
    ///
    /// After a failure, the system may have dropped the data, so a second call that succeeds proves nothing.
    ///
    /// - Throws: The failure of the system.
    package static func synchronize(_ descriptor: CInt) throws(FileFailure) {
        while !self.flush(descriptor) {
            guard errno == EINTR else { throw FileFailure(errno: errno) }
        }
    }

    /// Sets the length of an open file.
    ///
    /// - Throws: The failure of the system.
    package static func truncate(_ descriptor: CInt, toByteCount byteCount: Int64) throws(FileFailure) {
        while ftruncate(descriptor, off_t(byteCount)) != 0 {
            guard errno == EINTR else { throw FileFailure(errno: errno) }
        }
    }

    /// Moves the position of the next read or write.
    ///
    /// - Throws: The failure of the system.
    package static func seek(_ descriptor: CInt, to offset: Int64) throws(FileFailure) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw FileFailure(errno: errno) }
    }
}
