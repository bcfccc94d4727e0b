// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import TernPublishers
import TernTesting
import TestSupport
import Testing

@Suite("Publishers over a socket", .hangLimit)
struct LoopbackTests {
    private static let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })

    /// Python's file server.
    private static let server = Task {
        let port = try LoopbackPort.free(1)[0]
        let arguments = ["-m", "http.server", "\(port)", "--bind", "127.0.0.1"]
        let process = try PeerProcess("python3", arguments) { folder in
            try Self.bytes.write(to: folder.appendingPathComponent("photo"))
        }
        try await process.ready { LoopbackPort.answers(port) }
        return (process, port)
    }

    private static func url(_ name: String) async throws -> String {
        "http://127.0.0.1:\(try await Self.server.value.1)/\(name)"
    }

    @Test func `a download is in a file, a missing photo is a failure`() async throws {
        let client = Client(configuration: .patient)
        let photo = Request(.get, try await Self.url("photo")).validate(.success)
        for try await download in client.downloadPublisher(for: photo).asyncStream() {
            try expectEqual(Data(contentsOf: download.url), Self.bytes)
            try FileManager.default.removeItem(at: download.url)
        }
        let missing = Request(.get, try await Self.url("missing")).validate(.success)
        await #expect(throws: ClientError.self) {
            for try await download in client.downloadPublisher(for: missing).asyncStream() {
                Issue.record("\(download)")
            }
        }
    }

    @Test func `pieces come one by one, and leaving the loop ends the transfer`() async throws {
        let request = Request(.get, try await Self.url("photo"))
        let client = Client(configuration: .patient)
        var received = Data()
        for try await piece in client.bytesPublisher(for: request).asyncStream() { received += piece }
        expectEqual(received, Self.bytes)
        let delegate = RecordingDelegate()
        for try await piece in client.bytesPublisher(for: request, delegate: delegate).asyncStream() {
            #expect(!piece.isEmpty)
            break
        }
        try await eventually("the call has failed") { delegate.events.contains(.completed(hasFailed: true)) }
    }
}
