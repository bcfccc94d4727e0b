// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern
import Testing

@testable import TernCommand

@Suite("The table of transactions")
struct TransactionTableTests {
    @Test func `it has a line for each transaction, in columns`() {
        let lines = TransactionTable.lines(WaterfallTests.metrics.transactions)
        let expected = """
            method  path       status  connection    wait  connect      TLS  first byte    total   up    down
            GET     /photos/1  302     new              -  30.0 ms  20.0 ms     30.0 ms  80.0 ms  0 B    20 B
            GET     /photos/1  200     same        2.0 ms        -        -      8.0 ms  20.0 ms  0 B  2.0 MB
            """
        #expect(lines == expected.split(separator: "\n").map(String.init))
    }

    @Test func `a long path is cut, and what never answered has no figures`() throws {
        let url = try #require(URL(string: "https://test/" + String(repeating: "a", count: 100)))
        let lost = TransactionMetrics(number: 1, reason: .initial, method: "GET", url: url, start: .zero)
        let lines = TransactionTable.lines([lost])
        let cells = try #require(lines.last).split(separator: " ")
        #expect(cells[1] == "/\(String(repeating: "a", count: 30))…")
        #expect(cells[2...].prefix(5) == ["-", "-", "-", "-", "-"])
        #expect(TransactionTable.lines([]).count == 1)
    }
}
