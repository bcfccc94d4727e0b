// SPDX-License-Identifier: Apache-2.0
extension OpenFile {
    /// Reads bytes without waiting for the disk, and returns their number: 0 if the first byte is not in memory, or if this fails.
    package static func readCached(
        _ descriptor: CInt,
        into space: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) -> Int {
        max(0, self.readPresent(descriptor, into: space, at: offset))
    }
}
