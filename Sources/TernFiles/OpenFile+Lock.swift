// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension OpenFile {
    /// Takes the exclusive lock of a file (`flock`).
    ///
    /// ``closeLocked(_:)`` ends it, and so does the end of the process.
    ///
    /// Some network file systems have no locks. The function then does nothing.
    ///
    /// - Throws: `inUse` when another open file has the lock; another failure of the system.
    package static func lock(_ descriptor: CInt) throws(FileFailure) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { throw .inUse }
            guard errno == ENOLCK || errno == EOPNOTSUPP || errno == EINVAL else { throw FileFailure(errno: errno) }
            return
        }
    }

    /// Ends the lock of a file, if it has one.
    ///
    /// Closing the file alone would end the lock later if this process starts another one at the same moment: until the
    /// new process runs its program, it shares all open files, and with them their locks.
    package static func unlock(_ descriptor: CInt) { flock(descriptor, LOCK_UN) }

    /// Closes a file that may have a lock, and ends the lock at once.
    package static func closeLocked(_ descriptor: CInt) {
        Self.unlock(descriptor)
        close(descriptor)
    }

    /// Reads a short file from its present position to its end.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of the file.
    ///   - maximumByteCount: The number of bytes after which to stop.
    /// - Returns: The bytes.
    /// - Throws: The failure of the system.
    package static func bytes(of descriptor: CInt, atMost maximumByteCount: Int) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maximumByteCount)
        var byteCount = 0
        while byteCount < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Self.read(from: descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[byteCount...]))
            }
            guard count >= 0 else { throw FileFailure(errno: errno) }
            if count == 0 { break }
            byteCount += count
        }
        return Array(bytes[..<byteCount])
    }
}
