// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernFiles
import Testing

@Suite("Files on local disks")
struct LocalDiskTests {
    @Test func `pipes and devices are not on a disk`() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let device = open("/dev/null", O_WRONLY)
        for descriptor in ends + [device] {
            #expect(!OpenFile.isOnLocalDisk(descriptor))
            close(descriptor)
        }
        #expect(!OpenFile.isOnLocalDisk(-1))
    }

    #if os(Linux)
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
    #endif
}
