// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernTransferQueue
import Testing

@testable import TernCommand

@Suite("The events of a queue that runs")
struct TransferEventsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a change of state is an event, and progress is not`() {
        var events = TransferEvents([.sample(1)])
        #expect(events.record(.sample(1)).isEmpty)
        #expect(events.record(.sample(1, .running)).map(\.kind) == [.started])
        #expect(events.record(.sample(1, .running, bytes: 5, of: 10)).isEmpty)
        #expect(events.record(.sample(1, .waiting, bytes: 5, of: 10)).isEmpty)
        #expect(events.record(.sample(1, .running, bytes: 5, of: 10)).map(\.kind) == [.started])
        #expect(events.record(.sample(1, .completed, bytes: 10, of: 10)).map(\.kind) == [.completed])
        #expect(events.rows[1]?.state == .completed)
    }

    @Test func `a transfer that completes has started, although the queue has reported only its end`() {
        var delayed = TransferRow.sample(2, .delayed, bytes: 3, of: 10)
        delayed.retryDate = Self.now
        var events = TransferEvents([.sample(1, .waiting, bytes: 5, of: 10), delayed, .sample(3)])
        for (number, byteCount) in [(1, 5), (2, 3), (3, 0)] as [(Int64, Int64)] {
            let found = events.record(.sample(number, .completed, bytes: 10, of: 10))
            #expect(found.map(\.kind) == [.started, .completed])
            #expect(found.map(\.row.state) == [.running, .completed])
            #expect(found.map(\.row.bytes) == [byteCount, 10])
            #expect(found.first?.row.retryDate == nil)
        }
    }

    @Test func `what was so before is not an event`() {
        var events = TransferEvents([.sample(1, .completed), .sample(2, .failed), .sample(3, .paused)])
        for row in [TransferRow.sample(1, .completed), .sample(2, .failed), .sample(3, .paused)] {
            #expect(events.record(row).isEmpty)
        }
        #expect(events.record(.sample(4, .failed)).map(\.kind) == [.failed])
        events.remove(4)
        #expect(events.rows[4] == nil)
    }

    @Test func `another delay is another event`() {
        var row = TransferRow.sample(1, .delayed)
        row.retryDate = Self.now
        var events = TransferEvents([.sample(1, .running)])
        #expect(events.record(row).map(\.kind) == [.delayed])
        #expect(events.record(row).isEmpty)
        row.retryDate = Self.now + 5
        #expect(events.record(row).map(\.kind) == [.delayed])
    }

    @Test func `an event is a sentence`() {
        var delayed = TransferRow.sample(1, .delayed)
        delayed.retryDate = Self.now + 2
        delayed.message = "the connection was lost"
        var failed = TransferRow.sample(1, .failed)
        failed.reason = .file
        let events: [(TransferEvent.Kind, TransferRow, String)] = [
            (.started, .sample(1, .running), "transfer 1 (1.jpg) begins"),
            (.started, .sample(1, .running, bytes: 6_550_000), "transfer 1 (1.jpg) continues after 6.6 MB"),
            (.delayed, delayed, "transfer 1 (1.jpg): the connection was lost; trying again in 2.0 s"),
            (.paused, .sample(1, .paused), "transfer 1 (1.jpg) is paused"),
            (.completed, .sample(1, .completed, bytes: 999), "transfer 1 (1.jpg) is complete: 999 B"),
            (.failed, failed, "transfer 1 (1.jpg) failed: file"),
        ]
        for (kind, row, text) in events { #expect(TransferEvent(kind: kind, row: row).text(at: Self.now) == text) }
    }

    @Test func `an event is a row of JSON with one more name`() {
        let json = JSONLine.encode(TransferEvent(kind: .completed, row: .sample(3, .completed, bytes: 4, of: 4)))
        #expect(
            json == """
                {"bytes":4,"direction":"download","event":"completed","file":"/home/anna/3.jpg","id":3,\
                "priority":"normal","state":"completed","totalBytes":4,"url":"https://example.com/3.jpg"}
                """
        )
    }
}
