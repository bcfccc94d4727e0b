// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import TernErrors
import TernFoundation
import Testing

extension TransferDestinationTests {
    @Test func `a folder in which nothing can be created is refused`() async {
        // Even the superuser cannot create a file here.
        await self.expectRefusal(URL(fileURLWithPath: "/sys/file"), .notPermitted)
    }
}
#endif
