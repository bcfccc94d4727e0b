// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

/// Tests the metrics of bodies that no call reads to the end, because they are unwanted or fail.
@Suite(.hangLimit)
struct UnreadBodyTests {
    /// A monitor that keeps the last metrics.
    private final class LastMonitor: EventMonitor {
        private struct State {
            var metrics: TaskMetrics?
            var errors: [ClientError?] = []
        }

        private let state = Mutex(State())

        var transaction: TransactionMetrics? { self.state.withLock { $0.metrics?.transactions.last } }
        /// The errors of the transactions, recorded when each transaction ended.
        var errors: [ClientError?] { self.state.withLock { $0.errors } }

        func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics) {
            self.state.withLock { $0.errors.append(transaction.error) }
        }

        func call(_ call: MonitoredCall, didEnd metrics: TaskMetrics, error: ClientError?) {
            self.state.withLock { $0.metrics = metrics }
        }
    }

    /// A response with five bytes of a body that continues.
    private static let begun = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
    /// The number of these bytes that the metrics count: over HTTP/1.1 with the framing of the chunk.
    private static let begunByteCount = TestedVersion.isHTTP2 ? 5 : 10

    private let events = RecordingMonitor()
    private let last = LastMonitor()

    private func scene(_ text: String, ending: ScriptedResponse.Ending = .stall) -> ClientScene {
        var configuration = Client.Configuration()
        configuration.monitors = [self.events, self.last]
        configuration.maximumBodyByteCount = 3
        configuration.maximumErrorBodyByteCount = 3
        return ClientScene(configuration) { _ in .raw(text, ending: ending) }
    }

    /// Returns the last transaction, and checks that the monitor got all events before the end of the call.
    private func abandoned() throws -> TransactionMetrics {
        let end = self.events.events.suffix(3).map { $0 }
        let transaction = try #require(self.last.transaction)
        let status = transaction.statusCode
        #expect(
            end == [
                .reached("finished", in: 1), .ended(1, status: status),
                .callEnded(transactionCount: 1, hasFailed: true),
            ]
        )
        return transaction
    }

    @Test func `a body that is too large is counted as far as it came`() async throws {
        let scene = self.scene("HTTP/1.1 200 OK\r\n\(Self.begun)")
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .bodyTooLarge? = error else { throw try #require(error) }
        #expect(try self.abandoned().received.body == Self.begunByteCount)
    }

    @Test func `a value that is too large is counted as far as it came`() async throws {
        let scene = self.scene("HTTP/1.1 200 OK\r\n\(Self.begun)")
        let error = await failure { () async throws(ClientError) in
            try await scene.client.value(from: testURL, as: String.self)
        }
        guard case .bodyTooLarge? = error else { throw try #require(error) }
        #expect(try self.abandoned().received.body == Self.begunByteCount)
    }

    @Test func `the page that refuses a WebSocket is counted as far as it came`() async throws {
        let scene = self.scene("HTTP/1.1 403 No\r\n\(Self.begun)")
        let error = await failure { () async throws(ClientError) in try await scene.client.webSocket(from: testURL) }
        guard case .webSocketRefused? = error else { throw try #require(error) }
        #expect(try self.abandoned().received.body == Self.begunByteCount)
    }

    @Test func `a body that fails is no success`() async throws {
        let scene = self.scene("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi", ending: .close)
        let error = await failure { () async throws(ClientError) in try await scene.client.data(from: testURL) }
        guard case .truncated? = error else { throw try #require(error) }
        let transaction = try self.abandoned()
        #expect(transaction.statusCode == 200)
        #expect(transaction.received.body == 2)
        guard case .truncated? = transaction.error else { throw try #require(transaction.error) }
        #expect(self.last.errors.map { $0 != nil } == [true])
    }
}
