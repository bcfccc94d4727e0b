// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Calls through a relay that delays all bytes; `Benchmarks/scripts/measure-slow-line` measures how fast they are.
@Suite("HTTP/2: a slow line", .hangLimit)
struct SlowLineTests {
    private struct Relay {
        let process: PeerProcess
        let port: Int

        init(to port: Int) async throws {
            let script = ["-B", Scripts.path("delay_relay.py"), "port.txt", "\(port)", "50"]
            let process = try PeerProcess("python3", script)
            let report = process.folder.appending(path: "port.txt")
            try await process.ready { FileManager.default.fileExists(atPath: report.path) }
            let text = try String(contentsOf: report, encoding: .utf8)
            self.process = process
            self.port = try #require(text.split(separator: "\n").first.flatMap { Int($0) })
        }
    }

    @Test func `bodies arrive whole, and many calls share the connection`() async throws {
        let nginx = try await Nginx.shared
        let relay = try await Relay(to: nginx.port(.http2))
        let client = nginx.makeClient()
        let origin = "https://localhost:\(relay.port)"
        let (photo, response) = try await client.data(for: Request(.get, "\(origin)/photo"))
        try expectEqual(photo, nginx.content("/photo"))
        #expect(response.httpVersion == .http2)
        let sent = try Data.random(byteCount: 1_000_000)
        async let upload = client.upload(for: Request(.post, "\(origin)/sink"), from: sent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let (hello, response) = try await client.data(for: Request(.get, "\(origin)/hello.txt"))
                    #expect(hello == Data("hello\n".utf8))
                    #expect(response.isConnectionReused)
                }
            }
            try await group.waitForAll()
        }
        #expect(String(decoding: try await upload.0, as: UTF8.self) == "POST 1000000")
        #expect(OpenSockets.count(toPort: relay.port) == 1)
    }
}
