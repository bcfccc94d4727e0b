// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import CReadiness
import Foundation
import TestSupport
import Testing

/// Tests that a file that is sent to a peer that has gone does not end the process, whatever the action of SIGPIPE is.
@Suite("SIGPIPE", .hangLimit)
struct BrokenPipeTests {
    /// Sends a file to a socket whose peer is closed, and returns the system's error number.
    private static func sendToClosedPeer() throws -> CInt {
        let folder = try TemporaryFolder()
        let file = open(try folder.write("content", to: "file"), O_RDONLY)
        defer { close(file) }
        var pair: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
        close(pair[1])
        defer { close(pair[0]) }
        var offset = off_t(0)
        errno = 0
        let count = CReadiness_sendFile(pair[0], file, &offset, 7)
        return count < 0 ? errno : 0
    }

    private static func isPending() -> Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGPIPE) == 1
    }

    private static func isBlocked() -> Bool {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return sigismember(&mask, SIGPIPE) == 1
    }

    @Test func `the default action does not end the process`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            for _ in 0..<2 {
                let problem = try Self.sendToClosedPeer()
                #expect(problem == EPIPE)
                #expect(!Self.isPending() && !Self.isBlocked())
            }
        }
    }

    @Test func `a signal that was pending before stays pending, and the thread's mask stays as it was`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            var mask = sigset_t()
            sigemptyset(&mask)
            sigaddset(&mask, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &mask, nil)
            var problem = try Self.sendToClosedPeer()
            #expect(problem == EPIPE)
            #expect(!Self.isPending() && Self.isBlocked())
            raise(SIGPIPE)
            #expect(Self.isPending())
            problem = try Self.sendToClosedPeer()
            #expect(problem == EPIPE)
            #expect(Self.isPending() && Self.isBlocked())
        }
    }

    @Test func `a file arrives whole`() throws {
        let folder = try TemporaryFolder()
        let file = open(try folder.write("content", to: "file"), O_RDONLY)
        defer { close(file) }
        var pair: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for socket in pair { close(socket) } }
        var offset = off_t(3)
        #expect(CReadiness_sendFile(pair[0], file, &offset, 4) == 4)
        #expect(offset == 7)
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(pair[1], &bytes, 10) == 4)
        #expect(String(decoding: bytes[..<4], as: UTF8.self) == "tent")
    }
}
#endif
