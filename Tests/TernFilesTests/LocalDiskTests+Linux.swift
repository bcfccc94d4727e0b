// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import TernCLibrary
import TernFiles
import Testing

extension LocalDiskTests {
    @Test func `a file in memory counts as local, and one of the system's own does not`() throws {
        let path = "/dev/shm/tern-\(UInt64.random(in: .min ... .max))"
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        try #require(file >= 0)
        unlink(path)
        #expect(OpenFile.isOnLocalDisk(file))
        close(file)
        let status = open("/proc/self/status", O_RDONLY)
        try #require(status >= 0)
        #expect(!OpenFile.isOnLocalDisk(status))
        close(status)
    }
}
#endif
