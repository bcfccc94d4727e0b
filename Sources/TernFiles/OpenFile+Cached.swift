// SPDX-License-Identifier: Apache-2.0
extension OpenFile {
    /// Reads bytes without waiting for the disk; returns 0 if the first of them is not in memory, or if the system cannot say.
    package static func readCached(
        _ descriptor: CInt,
        into space: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) -> Int {
        max(0, self.readPresent(descriptor, into: space, at: offset))
    }
}
