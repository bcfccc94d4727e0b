// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation
import TernTransport
import Testing

@Suite struct MetricsRecorderTests {
    private static let url = URL(string: "http://test/") ?? URL(fileURLWithPath: "/")

    /// Returns a recorder with one transaction, which has reached these milestones, one each millisecond.
    private func recorder(_ milestones: ExchangeMilestone...) -> MetricsRecorder {
        var recorder = MetricsRecorder(startDate: Date(timeIntervalSince1970: 0))
        let number = recorder.begin(method: "GET", url: Self.url, attempt: 1, at: .zero)
        for (index, milestone) in milestones.enumerated() {
            recorder.reach(milestone, in: number, at: .milliseconds(index + 1))
        }
        return recorder
    }

    private func range(_ start: Int, _ end: Int) -> Range<Duration> {
        Duration.milliseconds(start)..<Duration.milliseconds(end)
    }

    @Test func `every step has its time`() throws {
        let recorder = self.recorder(
            .waiting,
            .connecting,
            .resolving,
            .resolved(addressCount: 2),
            .attempting(address: "[::1]:80"),
            .attempting(address: "127.0.0.1:80"),
            .attempted(address: "[::1]:80", .refused),
            .attempted(address: "127.0.0.1:80", nil),
            .connected,
            .tunnelling,
            .tunnelled,
            .securing(isProxy: false),
            .begun(ExchangeConnection(isReused: false)),
            .headSent(byteCount: 90),
            .bodySent(byteCount: 7),
            .firstByte,
            .answered(statusCode: 200, version: "HTTP/1.1", headByteCount: 60),
            .finished(bodyByteCount: 11)
        )
        let transaction = try #require(recorder.transaction(1))
        #expect(transaction.waiting == self.range(1, 2))
        #expect(transaction.connecting == self.range(2, 9))
        #expect(transaction.resolution == self.range(3, 4))
        #expect(transaction.addressCount == 2)
        #expect(
            transaction.connectAttempts == [
                .init(address: "[::1]:80", interval: self.range(5, 7), outcome: .failed(.refused)),
                .init(address: "127.0.0.1:80", interval: self.range(6, 8), outcome: .connected),
            ]
        )
        #expect(transaction.tunnelling == self.range(10, 11))
        #expect(transaction.connected == .milliseconds(13))
        #expect(transaction.headSent == .milliseconds(14))
        #expect(transaction.requestSent == .milliseconds(15))
        #expect(transaction.firstByte == .milliseconds(16))
        #expect(transaction.answered == .milliseconds(17))
        #expect(transaction.end == .milliseconds(18))
        #expect(transaction.duration == .milliseconds(18))
        #expect(transaction.timeToFirstByte == .milliseconds(2))
        #expect(transaction.sent == .init(head: 90, body: 7))
        #expect(transaction.received == .init(head: 60, body: 11))
        #expect(transaction.statusCode == 200)
        #expect(transaction.isConnectionReused == false)
    }

    @Test func `a reused connection has no connecting`() throws {
        let recorder = self.recorder(.waiting, .begun(ExchangeConnection(isReused: true)))
        let transaction = try #require(recorder.transaction(1))
        #expect(transaction.waiting == self.range(1, 2))
        #expect(transaction.connecting == nil)
        #expect(transaction.isConnectionReused == true)
        #expect(transaction.end == nil)
    }

    @Test func `a wait for a network ends with the connection, about which URLSession says nothing else`() throws {
        let recorder = self.recorder(
            .waiting,
            .connected,
            .bodySent(byteCount: 7),
            .firstByte,
            .answered(statusCode: 200, version: "HTTP/1.1", headByteCount: 0),
            .finished(bodyByteCount: 11)
        )
        let transaction = try #require(recorder.transaction(1))
        #expect(transaction.waiting == self.range(1, 2))
        #expect(transaction.connecting == nil)
        #expect(transaction.connected == nil)
        #expect(transaction.end == .milliseconds(6))
    }

    @Test func `a failed step ends with the transaction`() throws {
        var recorder = self.recorder(.connecting, .attempting(address: "127.0.0.1:1"))
        recorder.fail(1, .cancelled(ClientError.Context(phase: .connect)), at: .milliseconds(9))
        let transaction = try #require(recorder.transaction(1))
        #expect(transaction.connecting == self.range(1, 9))
        #expect(
            transaction.connectAttempts
                == [.init(address: "127.0.0.1:1", interval: self.range(2, 9), outcome: .abandoned)]
        )
        #expect(transaction.end == .milliseconds(9))
        #expect(transaction.error != nil)
    }

    @Test(arguments: [
        (Int?.none, false, TransactionMetrics.Reason.retry),
        (302, true, .redirect),
        (401, false, .authentication),
        (407, false, .authentication),
        (503, false, .retry),
    ])
    func `the last answer tells why it is asked again`(
        _ statusCode: Int?,
        isRedirect: Bool,
        reason: TransactionMetrics.Reason
    ) {
        var recorder = self.recorder()
        if let statusCode { recorder.answered(statusCode: statusCode, in: 1, at: .zero) }
        let found = recorder.willSend(attempt: 2, isRedirect: isRedirect)
        #expect(found == reason)
        let number = recorder.begin(method: "GET", url: Self.url, attempt: 2, at: .zero)
        #expect(number == 2)
        #expect(recorder.metrics.transactions.map(\.reason) == [.initial, reason])
        #expect(recorder.metrics.redirectCount == (isRedirect ? 1 : 0))
    }

    @Test func `an interceptor that asks twice retries`() {
        var recorder = self.recorder()
        _ = recorder.begin(method: "GET", url: Self.url, attempt: 1, at: .zero)
        #expect(recorder.metrics.transactions.map(\.reason) == [.initial, .retry])
    }

    @Test func `a request that the cache answers leaves its reason to no other`() {
        var recorder = self.recorder()
        _ = recorder.willSend(attempt: 2, isRedirect: true)
        _ = recorder.begin(method: "GET", url: Self.url, attempt: 1, at: .zero)
        _ = recorder.willSend(attempt: 3, isRedirect: true)
        _ = recorder.begin(method: "GET", url: Self.url, attempt: 3, at: .zero)
        _ = recorder.begin(method: "GET", url: Self.url, attempt: 3, at: .zero)
        #expect(recorder.metrics.transactions.map(\.reason) == [.initial, .retry, .redirect, .retry])
    }

    @Test func `a repetition is a transaction of its own`() {
        var recorder = self.recorder(.begun(ExchangeConnection(isReused: true)))
        recorder.note(.connectionLost(.closed, ClientError.Context(phase: .head)), in: 1)
        let number = recorder.repeat(1, at: .milliseconds(5))
        #expect(number == 2)
        #expect(recorder.metrics.transactions.map(\.reason) == [.initial, .repetition])
        #expect(recorder.metrics.transactions.map(\.end) == [.milliseconds(5), nil])
        #expect(recorder.metrics.transactions.map { $0.error != nil } == [true, false])
    }

    @Test func `what comes late belongs to its own transaction`() {
        var recorder = self.recorder(.begun(ExchangeConnection(isReused: false)))
        let second = recorder.begin(method: "GET", url: Self.url, attempt: 1, at: .milliseconds(2))
        recorder.reach(.finished(bodyByteCount: 5), in: 1, at: .milliseconds(3))
        #expect(recorder.transaction(1)?.received.body == 5)
        #expect(recorder.transaction(second)?.end == nil)
    }

    @Test func `what comes after the end of a transaction changes nothing`() {
        var recorder = self.recorder(.connecting, .resolving)
        recorder.fail(1, .cancelled(ClientError.Context(phase: .connect)), at: .milliseconds(3))
        recorder.reach(.resolved(addressCount: 2), in: 1, at: .milliseconds(9))
        recorder.reach(.finished(bodyByteCount: 5), in: 1, at: .milliseconds(9))
        #expect(recorder.transaction(1)?.resolution == self.range(2, 3))
        #expect(recorder.transaction(1)?.addressCount == nil)
        #expect(recorder.transaction(1)?.received.body == 0)
    }

    @Test func `what comes after the end of the call changes nothing`() {
        var recorder = self.recorder(.begun(ExchangeConnection(isReused: false)))
        _ = recorder.end(at: .milliseconds(8))
        recorder.received(7, in: 1)
        recorder.decompressed(9)
        recorder.answered(statusCode: 200, in: 1, at: .milliseconds(9))
        _ = recorder.begin(method: "GET", url: Self.url, attempt: 1, at: .milliseconds(9))
        #expect(recorder.metrics.transactions.count == 1)
        #expect(recorder.transaction(1)?.received.content == 0)
        #expect(recorder.transaction(1)?.statusCode == nil)
    }

    @Test func `a second tunnel does not hide the first`() throws {
        // The proxy answered 407 and closed the connection.
        let recorder = self.recorder(
            .waiting,
            .connecting,
            .connected,
            .tunnelling,
            .connecting,
            .connected,
            .tunnelling,
            .tunnelled,
            .securing(isProxy: false),
            .begun(ExchangeConnection(isReused: false))
        )
        let transaction = try #require(recorder.transaction(1))
        #expect(transaction.waiting == self.range(1, 2))
        #expect(transaction.connecting == self.range(2, 3))
        #expect(transaction.tunnelling == self.range(4, 8))
    }

    @Test func `the end of the call ends what is open, once`() {
        var recorder = self.recorder(.begun(ExchangeConnection(isReused: false)))
        let first = recorder.end(at: .milliseconds(8))
        let again = recorder.end(at: .milliseconds(9))
        #expect(first == [1])
        #expect(again.isEmpty)
        #expect(recorder.metrics.isComplete)
        #expect(recorder.metrics.duration == .milliseconds(8))
    }

    @Test func `no server makes it long`() {
        var recorder = self.recorder()
        for _ in 0..<100 { _ = recorder.begin(method: "GET", url: Self.url, attempt: 1, at: .zero) }
        for _ in 0..<100 { recorder.reach(.attempting(address: "a:1"), in: 101, at: .zero) }
        recorder.reach(.firstByte, in: 1, at: .zero)  // transaction 1 is already dropped
        #expect(recorder.metrics.transactions.map(\.number) == Array(38...101))
        #expect(recorder.metrics.transactions.last?.connectAttempts.count == 16)
    }
}
