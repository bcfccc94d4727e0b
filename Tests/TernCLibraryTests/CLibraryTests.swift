// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernFoundation
import TestSupport
import Testing

@Suite("The C library", .hangLimit)
struct CLibraryTests {
    /// Has a method with the name of a function, which hides the function.
    private enum Hiding {
        static func getpid() -> pid_t { -1 }
        static var fromSystem: pid_t { TernCLibrary.getpid() }
    }

    @Test func `the name of the module finds a function that a method hides`() {
        #expect(Hiding.getpid() == -1)
        #expect(Hiding.fromSystem > 0)
    }

    @Test func `a socket of this kind is a stream`() throws {
        let descriptor = socket(AF_INET, CLibrary.streamSocket, 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(listen(descriptor, 1) == 0, "no socket of another kind listens")
    }

    @Test func `random bytes differ each time, and fill all of the memory`() {
        var (one, other) = ([UInt8](repeating: 0, count: 256), [UInt8](repeating: 0, count: 256))
        #expect(one.withUnsafeMutableBytes { CLibrary.fillRandomly($0) })
        #expect(other.withUnsafeMutableBytes { CLibrary.fillRandomly($0) })
        #expect(one != other)
        #expect(Set(one.suffix(64)).count > 8)
    }

    @Test func `a lower limit applies, and the system reports it`() async {
        await #expect(processExitsWith: .success) {
            let before = try #require(CLibrary.ResourceLimit.descriptors.value)
            #expect(CLibrary.ResourceLimit.descriptors.change(to: 50) == 0)
            #expect(CLibrary.ResourceLimit.descriptors.value == 50)
            var last: CInt = 0
            while last >= 0, last < 100 { last = dup(0) }
            #expect(last == -1 && errno == EMFILE)
            #expect(CLibrary.ResourceLimit.descriptors.change(to: min(before, 100)) == 0)
            #expect(dup(0) >= 0)
        }
    }

    @Test func `no file gets longer than the limit`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("file").path
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            #expect(CLibrary.ResourceLimit.fileByteCount.change(to: 3) == 0)
            let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
            #expect(write(descriptor, "abcd", 4) == 3)
            #expect(write(descriptor, "d", 1) == -1 && errno == EFBIG)
        }
    }

    @Test func `the time of a change is the one that was set`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", to: "file")
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let times = [timespec(tv_sec: 11, tv_nsec: 22), timespec(tv_sec: 1_000_000_003, tv_nsec: 500_000_000)]
        #expect(futimens(descriptor, times) == 0)
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        #expect(status.modificationTime.tv_sec == 1_000_000_003)
        #expect(status.modificationTime.tv_nsec == 500_000_000)
    }
}
