// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// A limit that a program sets to the largest value must not end the process where the client computes with it.
@Suite("The largest and the smallest limits", .hangLimit)
struct LargestLimitsTests {
    private static func configuration(_ count: Int, _ duration: Duration) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.maximumHeadByteCount = count
        configuration.maximumFieldCount = count
        configuration.maximumBodyByteCount = count
        configuration.maximumErrorBodyByteCount = count
        configuration.expectContinueThreshold = Int64(count)
        configuration.expectContinueTimeout = duration
        configuration.pool.maximumConnectionsPerHost = count
        configuration.pool.maximumIdleConnections = count
        configuration.pool.idleTimeout = duration
        configuration.timeouts = Timeouts(
            connect: duration,
            connection: duration,
            firstByte: duration,
            idle: duration,
            call: duration
        )
        configuration.retry = RetryPolicy(
            maximumAttemptCount: count,
            backoff: Backoff(initialDelay: duration, maximumDelay: duration)
        )
        return configuration
    }

    @Test func `calls succeed without limits`() async throws {
        let scene = ClientScene(Self.configuration(.max, .seconds(Int64.max))) { .response(bytes: $0.body) }
        for _ in 0..<2 {
            let content = Data("content".utf8)
            let (data, response) = try await scene.client.upload(for: Request(.post, "http://test/"), from: content)
            #expect(data == content)
            #expect(response.statusCode == 200)
        }
    }

    @Test(arguments: [0, -1, Int.min])
    func `calls fail with limits that allow nothing`(count: Int) async throws {
        let scene = ClientScene(Self.configuration(count, .seconds(Int64.max))) { _ in .response(body: "content") }
        await #expect(throws: ClientError.self) { try await scene.client.data(from: testURL) }
    }

    @Test(arguments: [-1, Int.min])
    func `a negative limit counts as 0`(count: Int) async throws {
        var configuration = Client.Configuration()
        configuration.maximumBodyByteCount = count
        configuration.maximumLineByteCount = count
        let scene = ClientScene(configuration) { .response(body: $0.target == "/" ? "" : "\nline\n") }
        var request = Request(.get, "http://test/")
        #expect(try await scene.client.data(for: request).0.isEmpty)
        request.options.maximumBodyByteCount = count
        #expect(try await scene.client.data(for: request).0.isEmpty)
        let (bytes, _) = try await scene.client.bytes(for: Request(.get, "http://test/lines"))
        var lines = bytes.lines.makeAsyncIterator()
        #expect(try await lines.next() == "")
        await #expect(throws: ClientError.self) { try await lines.next() }
    }
}
