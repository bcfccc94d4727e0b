// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import CFileSystems
import Foundation
import TestSupport
import Testing

extension ReadCachedTests {
    /// The system may need the memory of a file for something else, so one of several files is enough.
    @Test func `bytes that were just written are read on ext4, XFS and Btrfs`() throws {
        let folder = try TemporaryFolder()
        var facts = statfs()
        guard statfs(folder.url.path, &facts) == 0, [0xEF53, 0x5846_5342, 0x9123_683E].contains(Int(facts.f_type))
        else {
            return print("note: this file system may be unable to say what is in memory")
        }
        #expect(try (0..<20).contains { _ in try self.read(3, at: 4, of: "0123456789") == "456" })
    }
}
#endif
