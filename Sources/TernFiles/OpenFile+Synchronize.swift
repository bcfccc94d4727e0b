// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension OpenFile {
    /// Waits until the data is on the disk; after a failure, the system may have dropped it, so a second call that succeeds
    /// proves nothing.
    package static func synchronize(_ descriptor: CInt) throws(FileFailure) {
        while !self.flush(descriptor) {
            guard errno == EINTR else { throw FileFailure(errno: errno) }
        }
    }

    package static func truncate(_ descriptor: CInt, toByteCount byteCount: Int64) throws(FileFailure) {
        while ftruncate(descriptor, off_t(byteCount)) != 0 {
            guard errno == EINTR else { throw FileFailure(errno: errno) }
        }
    }

    /// Sets the time of ``FileStatus/time``, if the file system allows it.
    package static func setTime(_ nanoseconds: Int64, of descriptor: CInt) {
        let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        futimens(descriptor, [time, time])
    }

    package static func seek(_ descriptor: CInt, to offset: Int64) throws(FileFailure) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw FileFailure(errno: errno) }
    }
}
