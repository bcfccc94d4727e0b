// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import TernConnections
import TernTransport
import Testing

@testable import TernCommand

@Suite struct WaterfallTests {
    private static let url = URL(string: "https://test/photos/1?size=small") ?? URL(fileURLWithPath: "/")

    private static func range(_ start: Int, _ end: Int) -> Range<Duration> {
        Duration.milliseconds(start)..<Duration.milliseconds(end)
    }

    /// The metrics of a call with a redirect: the second exchange reuses the connection of the first.
    static var metrics: TaskMetrics {
        var first = TransactionMetrics(number: 1, reason: .initial, method: "GET", url: Self.url, start: .zero)
        first.resolution = Self.range(0, 10)
        first.connecting = Self.range(0, 30)
        first.addressCount = 2
        first.connectAttempts = [
            .init(address: "[::1]:443", interval: Self.range(10, 15), outcome: .failed(.refused)),
            .init(address: "127.0.0.1:443", interval: Self.range(15, 30), outcome: .connected),
        ]
        first.handshake = Self.range(30, 50)
        first.connected = .milliseconds(50)
        first.headSent = .milliseconds(50)
        first.requestSent = .milliseconds(50)
        first.firstByte = .milliseconds(80)
        first.answered = .milliseconds(80)
        first.end = .milliseconds(80)
        first.statusCode = 302
        first.connection = ExchangeConnection(
            isReused: false,
            addresses: ConnectionAddresses(local: "127.0.0.1:50000", remote: "127.0.0.1:443")
        )
        first.protocolVersion = "HTTP/1.1"
        first.sent = .init(head: 100)
        first.received = .init(head: 90, body: 20, content: 20)
        var second = TransactionMetrics(
            number: 2,
            reason: .redirect,
            method: "GET",
            url: Self.url,
            start: .milliseconds(80)
        )
        second.waiting = Self.range(80, 82)
        second.connected = .milliseconds(82)
        second.headSent = .milliseconds(82)
        second.requestSent = .milliseconds(82)
        second.firstByte = .milliseconds(90)
        second.answered = .milliseconds(90)
        second.end = .milliseconds(100)
        second.statusCode = 200
        second.connection = ExchangeConnection(isReused: true)
        second.received = .init(head: 90, body: 2_000_000, content: 2_000_000)
        return TaskMetrics(
            startDate: Date(timeIntervalSince1970: 0),
            transactions: [first, second],
            duration: .milliseconds(100),
            redirectCount: 1,
            isComplete: true
        )
    }

    @Test func `each step is a row, whose bar is where it was`() {
        let text = Waterfall(Self.metrics, width: 47, isPlain: true).text
        #expect(
            text == """
                1. GET https://test/photos/1?REDACTED, 302, new connection, 127.0.0.1:443, HTTP/1.1, 0 B up, 20 B down
                   look-up       10.0 ms |##                  |
                   attempt        5.0 ms |  #                 | [::1]:443: \(ConnectionFailure.refused)
                   attempt       15.0 ms |   ###              | 127.0.0.1:443: connected
                   connecting    20.0 ms |  ####              |
                   TLS           20.0 ms |      ####          |
                   sending        0.0 ms |          #         |
                   server        30.0 ms |          ######    |
                   receiving      0.0 ms |                #   |
                2. GET https://test/photos/1?REDACTED, 200, redirect, same connection, 0 B up, 2.0 MB down
                   waiting        2.0 ms |                #   |
                   sending        0.0 ms |                #   |
                   server         8.0 ms |                ##  |
                   receiving     10.0 ms |                  ##|
                   total        100.0 ms |####################|

                """
        )
    }

    @Test func `HTTP/2 shows its stream, and the wait for it`() {
        var metrics = Self.metrics
        metrics.transactions[1].protocolVersion = "HTTP/2"
        metrics.transactions[1].streamNumber = 7
        let text = Waterfall(metrics, width: 47, isPlain: true).text
        #expect(text.contains(" 200, redirect, same connection, HTTP/2 stream 7, 0 B up, 2.0 MB down\n"))
        #expect(text.contains("   stream wait    2.0 ms |                #   |\n"))
        #expect(!text.contains("   waiting "))
        #expect(MetricsFacts(metrics).transactions.map(\.stream) == [nil, 7])
    }

    @Test(arguments: [1, 20, 80, 200, 5000])
    func `it fits any terminal`(width: Int) {
        let lines = Waterfall(Self.metrics, width: width, isPlain: true).text.split(separator: "\n")
        let bars = lines.compactMap { line in line.contains("|") ? line.split(separator: "|")[1].count : nil }
        #expect(Set(bars).count == 1)
        #expect(bars.allSatisfy { 10...100 ~= $0 })
    }

    @Test func `a terminal is shown blocks, and no commands of a server`() {
        var metrics = Self.metrics
        metrics.transactions[0].method = "G\u{1B}[31mET"
        let text = Waterfall(metrics, width: 80, isPlain: false).text
        #expect(text.contains("\u{2588}"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `a call that sent nothing has a total`() {
        let metrics = TaskMetrics(startDate: Date(), duration: .zero)
        let text = Waterfall(metrics, width: 47, isPlain: true).text
        #expect(text == "   total          0.0 ms |#                   |\n")
    }

    @Test func `a table has a line for each transaction`() {
        let lines = TransactionTable.lines(Self.metrics.transactions)
        #expect(
            lines == [
                "method  path       status  connection    wait  connect      TLS  first byte    total   up    down",
                "GET     /photos/1  302     new              -  30.0 ms  20.0 ms     30.0 ms  80.0 ms  0 B    20 B",
                "GET     /photos/1  200     same        2.0 ms        -        -      8.0 ms  20.0 ms  0 B  2.0 MB",
            ]
        )
    }

    @Test func `machines are told all of it, but for the query`() throws {
        let text = JSONLine.encode(MetricsFacts(Self.metrics))
        #expect(!text.contains("small"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(Set(object.keys) == ["startDate", "duration", "redirectCount", "transactions"])
        #expect(object["startDate"] as? String == "1970-01-01T00:00:00Z")
        #expect(object["duration"] as? Double == 100)
        let first = try #require((object["transactions"] as? [[String: Any]])?.first)
        #expect(
            Set(first.keys) == [
                "number", "reason", "method", "url", "status", "protocolVersion", "isConnectionReused", "localAddress",
                "remoteAddress", "start", "end", "resolution", "addressCount", "connectAttempts", "connecting",
                "handshake", "connected", "headSent", "requestSent", "firstByte", "answered", "sent", "received",
            ]
        )
        #expect(first["resolution"] as? [String: Double] == ["start": 0, "end": 10])
        #expect(first["received"] as? [String: Int] == ["head": 90, "body": 20, "content": 20])
        let attempts = try #require(first["connectAttempts"] as? [[String: Any]])
        #expect(attempts.map { $0["outcome"] as? String } == ["failed", "connected"])
    }
}
