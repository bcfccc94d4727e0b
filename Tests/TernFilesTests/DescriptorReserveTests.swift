// SPDX-License-Identifier: Apache-2.0
import CoreFoundation  // `open` and the like, on Linux
import Foundation
import TernErrors
import TernFiles
import TestSupport
import Testing

@Suite("DescriptorReserve", .hangLimit)
struct DescriptorReserveTests {
    @Test(
        arguments: [
            (256, 224), (512, 480), (1024, 960), (4096, 3840), (1 << 20, (1 << 20) - (1 << 16)),
            // A very low limit is shared.
            (64, 32), (40, 20), (3, 2), (1, 1), (0, 0),
        ] as [(UInt64, UInt64)]
    )
    func `the last sixteenth and no fewer than 32 belong to it`(_ limit: UInt64, _ first: UInt64) {
        #expect(DescriptorReserve(limit: limit).firstDescriptor == first)
    }

    @Test func `a descriptor belongs to it from its first number on, and a failure never does`() {
        let reserve = DescriptorReserve(limit: 1024)
        #expect([-1, 0, 3, 959].allSatisfy { !reserve.contains($0) })
        #expect([960, 1023, .max].allSatisfy { reserve.contains($0) })
        #expect(!DescriptorReserve(limit: .max).contains(.max))
    }

    @Test func `a descriptor of the reserve is closed again, and counts as none`() async {
        await #expect(processExitsWith: .success) {
            func openDevice() -> CInt { DescriptorReserve.open { open("/dev/null", O_RDONLY | O_CLOEXEC) } }
            #expect(DescriptorReserve.leaves(2))
            let before = openDevice()
            #expect(before >= 0)
            let table = try FullDescriptorTable(freeCount: 4)
            for _ in 0..<10 {
                errno = 0
                #expect(openDevice() == -1)
                #expect(errno == EMFILE)
                #expect(!DescriptorReserve.leaves(1))
            }
            // The rest of the process still gets all of them.
            for _ in 0..<4 { #expect(open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) }
            #expect(open("/dev/null", O_RDONLY | O_CLOEXEC) == -1)
            close(before)
            #expect(DescriptorReserve.leaves(1))
            #expect(openDevice() == before)
            withExtendedLifetime(table) {}
        }
    }

    @Test func `a file that stays open takes no descriptor of the reserve, and is not created`() async {
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryFolder()
            let folder = try OpenFolder(path: temporary.url.path)
            let table = try FullDescriptorTable(freeCount: 8)
            #expect(throws: FileFailure.system(errno: EMFILE)) { try folder.createLocked("created") }
            #expect(throws: FileFailure.system(errno: EMFILE)) { try folder.openLocked("locked") }
            #expect(throws: FileFailure.system(errno: EMFILE)) {
                try folder.openGrowing(
                    "growing",
                    replacedBy: TemporaryFileName(for: "growing", maximumByteCount: 255),
                    keepsContent: false
                )
            }
            // A short look at the folder may use the reserve.
            #expect(folder.names == [])
            withExtendedLifetime(table) {}
        }
    }
}
