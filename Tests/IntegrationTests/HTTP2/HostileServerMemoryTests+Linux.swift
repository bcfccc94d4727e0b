// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("HTTP/2: the memory that servers make a client use", .hangLimit)
struct HostileServerMemoryTests {
    /// The largest increase of the memory of a process by all attacks together: the memory in use at any time, beyond
    /// the most that the process had used for harmless calls.
    ///
    /// The client keeps 512 KiB of a field block, 512 KiB of fields, and frames of 16 KiB. On Linux with glibc, the
    /// process grows by about 6 MiB.
    private static let ceiling = 32 << 20

    /// The attacks that end a call at once.
    private static let attacks =
        (HostileCase.ofConnection + HostileCase.ofStream).map { ($0.path, Fault.protocolViolation($0.section)) }
        + [
            ("/flood/resets", .connectionLost(.streamReset(code: 2))),
            ("/flood/interim", .protocolViolation("RFC 9110 §15.2")),
        ]

    private static func expectFine(_ root: String, _ origin: String) async throws {
        let client = HostileServer.makeClient(trusting: root)
        let (data, _) = try await client.data(for: HostileServer.request(.get, origin + "/fine"))
        #expect(String(decoding: data, as: UTF8.self) == "fine")
    }

    /// The attacks run in a separate process, whose memory no other test uses.
    @Test func `no attack takes more memory than the ceiling`() async throws {
        let server = try await HostileServer.shared
        let (plain, tls) = (server.url(.plain, ""), server.url(.tls, ""))
        let root = server.rootPath
        await #expect(processExitsWith: .success) {
            [plain = plain as String, tls = tls as String, root = root as String] in
            for origin in [plain, tls] {
                for _ in 0..<10 { try await Self.expectFine(root, origin) }
                let before = try ResidentMemory.peakByteCount
                for (path, expected) in Self.attacks {
                    let client = HostileServer.makeClient(trusting: root)
                    let fault = await fault { () async throws(ClientError) in
                        try await client.data(for: HostileServer.request(.get, origin + path))
                    }
                    #expect(fault == expected, "\(path): \(String(describing: fault))")
                    let increase = try ResidentMemory.peakByteCount - before
                    try #require(increase < Self.ceiling, "\(path): \(increase) bytes more")
                }
                try await Self.expectFine(root, origin)
            }
        }
    }
}
#endif
