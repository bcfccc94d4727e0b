// SPDX-License-Identifier: Apache-2.0
@testable import TernTesting
import Testing

@Suite("HTTP2FaultSchedule")
struct HTTP2FaultScheduleTests {
    private typealias Decision = HTTP2FaultSchedule.Decision

    /// Returns the decisions for five requests, on the streams 1, 3, 5, 7 and 9.
    private func decisions(_ faults: HTTP2Fault...) -> [Decision] {
        var schedule = HTTP2FaultSchedule(faults)
        return (0..<5).map { schedule.requestArrived(on: 2 * $0 + 1) }
    }

    private func fates(_ faults: HTTP2Fault...) -> [HTTP2FaultSchedule.Fate] {
        var schedule = HTTP2FaultSchedule(faults)
        return (0..<5).map { schedule.requestArrived(on: 2 * $0 + 1).fate }
    }

    @Test func `without faults, all requests are served`() {
        #expect(self.decisions() == Array(repeating: Decision(), count: 5))
        #expect(HTTP2FaultSchedule([]).firstSettings.isEmpty)
    }

    @Test func `a reset affects one request`() {
        let fates = self.fates(
            .refusal(ofRequest: 2),
            .reset(request: 3),
            .reset(request: 4, code: 11, afterBodyByteCount: 5)
        )
        let last = HTTP2FaultSchedule.Reset(code: 11, afterBodyByteCount: 5)
        #expect(fates == [.serve(nil), .reset(7), .reset(2), .serve(last), .serve(nil)])
    }

    @Test func `of two resets of a request, the first in the list counts`() {
        #expect(self.fates(.refusal(ofRequest: 1), .reset(request: 1, code: 11)).first == .reset(7))
    }

    @Test func `a negative number of bytes counts as none`() {
        let fates = self.fates(.reset(request: 1, afterBodyByteCount: -1))
        #expect(fates.first == .serve(HTTP2FaultSchedule.Reset(code: 2)))
    }

    @Test func `a GOAWAY before a request names the stream before, and later requests are ignored`() {
        let decisions = self.decisions(.goAway(beforeRequest: 3))
        let goAway = HTTP2FaultSchedule.GoAway(lastStream: 3, code: 0)
        #expect(decisions.map(\.goAway) == [nil, nil, goAway, nil, nil])
        #expect(decisions.map(\.fate) == [.serve(nil), .serve(nil), .ignore, .ignore, .ignore])
    }

    @Test func `a GOAWAY before the first request names no stream`() {
        let decisions = self.decisions(.goAway(beforeRequest: 1, code: 11))
        #expect(decisions.first?.goAway == HTTP2FaultSchedule.GoAway(lastStream: 0, code: 11))
    }

    @Test func `a GOAWAY after a request names its stream, and the request is served`() {
        let decisions = self.decisions(.goAway(afterRequest: 2))
        #expect(decisions[1] == Decision(goAway: HTTP2FaultSchedule.GoAway(lastStream: 3, code: 0)))
        #expect(decisions.map(\.fate) == [.serve(nil), .serve(nil), .ignore, .ignore, .ignore])
    }

    @Test func `only one GOAWAY is sent`() {
        let decisions = self.decisions(.goAway(afterRequest: 1), .goAway(beforeRequest: 2), .refusal(ofRequest: 3))
        #expect(decisions.map { $0.goAway?.lastStream } == [1, nil, nil, nil, nil])
        #expect(decisions.map(\.fate) == [.serve(nil), .ignore, .ignore, .ignore, .ignore])
    }

    @Test func `settings change at the start or at a request`() {
        let faults: [HTTP2Fault] = [
            .closedWindow, .settings(maximumConcurrentStreams: 5),
            .settings(atRequest: 2, maximumConcurrentStreams: 1, initialWindowByteCount: 9),
        ]
        var schedule = HTTP2FaultSchedule(faults)
        #expect(schedule.firstSettings == [.initialWindow(0), .maximumStreams(5)])
        #expect(schedule.requestArrived(on: 1) == Decision())
        #expect(schedule.requestArrived(on: 3) == Decision(settings: [.maximumStreams(1), .initialWindow(9)]))
        #expect(schedule.requestArrived(on: 5) == Decision())
    }

    @Test(
        arguments: [
            (0, [0]), (3, [nil, 3]), (4, [nil, 4]), (5, [nil, nil, 1]), (6, [nil, nil, 2]), (7, [nil, nil, nil]),
        ] as [(Int, [Int?])]
    )
    func `a countdown ends directly after the last byte`(limit: Int, expected: [Int?]) {
        var countdown = ResetCountdown(HTTP2FaultSchedule.Reset(code: 2, afterBodyByteCount: limit))
        // The head, then two parts of a body.
        let counts = [0, 4, 2].prefix(expected.count).map { countdown.byteCountBeforeReset(in: $0) }
        #expect(counts == expected)
    }
}
