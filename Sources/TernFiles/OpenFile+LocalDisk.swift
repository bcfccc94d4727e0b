// SPDX-License-Identifier: Apache-2.0
extension OpenFile {
    /// Returns whether an open file is a regular file on a disk of this machine, so that the system usually only copies
    /// the bytes of a write.
    package static func isOnLocalDisk(_ descriptor: CInt) -> Bool {
        guard let status = try? FileStatus(descriptor: descriptor), status.kind == .regular else { return false }
        return self.isInLocalFileSystem(descriptor)
    }
}
