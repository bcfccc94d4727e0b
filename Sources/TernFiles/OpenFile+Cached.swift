// SPDX-License-Identifier: Apache-2.0
extension OpenFile {
    /// Reads bytes that the system has in memory, without waiting for the disk.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of a file that is open for reading.
    ///   - space: Where to store the bytes.
    ///   - offset: The position of the first byte in the file.
    /// - Returns: The number of bytes that were read. It is 0 if the first of them is not in memory, and on a system or
    ///   a file system that cannot say; a read that waits then finds the bytes, or the failure.
    package static func readCached(
        _ descriptor: CInt,
        into space: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) -> Int {
        max(0, self.readPresent(descriptor, into: space, at: offset))
    }
}
