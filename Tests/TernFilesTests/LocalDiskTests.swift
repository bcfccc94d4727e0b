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
}
