// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import TernCLibrary
import TernErrors
import TernFoundation
import Testing

extension UploadRecordPlaceTests {
    @Test func `a folder in which nothing can be created is refused`() async {
        // Even the superuser cannot create a file here.
        await self.expectRefusal(URL(fileURLWithPath: "/sys/record"), .notPermitted)
    }

    /// Creates a device that is always full, like /dev/full; returns `false` if this user may not.
    static func makeFullDevice(_ path: String) -> Bool { mknod(path, S_IFCHR | 0o600, 1 << 8 | 7) == 0 }
}
#endif
