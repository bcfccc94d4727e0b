// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernHTTP2
import TernTransport
import Testing

@testable import TernHTTP

@Suite("HTTP2StreamStateMachine")
struct HTTP2StreamStateMachineTests {
    private typealias Machine = HTTP2StreamStateMachine

    private static let reset = ResponseFailure.stream(.reset(.cancel), .unknown)

    private static func head(_ status: Int) -> Response.Head {
        Response.Head(HTTPResponse.Status(code: status), [:], .http2)
    }

    private func open() -> Machine {
        var machine = Machine()
        #expect(machine.opened(as: .first, isComplete: false) == true)
        return machine
    }

    @Test func `a stream is complete when both directions are`() {
        var machine = self.open()
        #expect(machine.openID == .first)
        #expect(machine.responseEnded(isRead: true) == false)
        #expect(!machine.isComplete)
        #expect(machine.requestEnded() == true)
        #expect(machine.isComplete)
        #expect(machine.openID == nil)
        machine = self.open()
        #expect(machine.requestEnded() == false)
        #expect(machine.responseEnded(isRead: true) == true)
    }

    @Test func `a short request is complete with its head`() {
        var machine = Machine()
        #expect(machine.opened(as: .first, isComplete: true) == true)
        #expect(machine.openID == nil)
        #expect(machine.id == .first)
        #expect(machine.responseEnded(isRead: true) == true)
    }

    @Test func `an exchange that gave up before wants no stream`() {
        var machine = Machine()
        #expect(machine.closed().id == nil)
        #expect(!machine.mayOpen)
        #expect(machine.opened(as: .first, isComplete: false) == false)
        #expect(machine.id == .first)
        #expect(machine.openID == nil)
    }

    @Test func `heads come in their order`() {
        var machine = self.open()
        for status in [103, 100] { machine.receive(Self.head(status), isInterim: true) }
        machine.receive(Self.head(200), isInterim: false)
        var statuses: [Int] = []
        while let event = machine.takeHead() {
            switch event {
            case .informational(let head), .head(let head): statuses.append(head.statusCode)
            case .body, .end: Issue.record("\(event)")
            }
        }
        #expect(statuses == [103, 100, 200])
    }

    @Test(arguments: [true, false])
    func `content that counts as read needs no report`(_ isRead: Bool) {
        var machine = self.open()
        #expect(machine.reportingID == .first)
        _ = machine.responseEnded(isRead: isRead)
        #expect(machine.reportingID == (isRead ? nil : .first))
    }

    @Test func `a reset ends both directions, once`() {
        var machine = self.open()
        #expect(machine.failed(Self.reset).endsReading == true)
        #expect(machine.openID == nil)
        #expect(machine.id == .first)
        #expect(machine.failure != nil)
        #expect(machine.failed(Self.reset).endsReading == false)
        #expect(machine.responseEnded(isRead: true) == false)
        #expect(!machine.isResponseComplete)
    }

    @Test func `a failure after the whole response ends only the request`() {
        var machine = self.open()
        _ = machine.responseEnded(isRead: true)
        #expect(machine.failed(Self.reset).endsReading == false)
        #expect(machine.failure == nil)
        #expect(machine.openID == nil)
        #expect(machine.isResponseComplete)
    }

    @Test func `the task that sends learns of the end`() {
        var machine = self.open()
        machine.unsent.append(ByteBuffer(string: "content"))
        #expect(machine.unsent.wait(until: 0) != nil)
        #expect(machine.closed().wait != nil)
        #expect(machine.unsent.isEmpty)
        #expect(machine.closed().wait == nil)
    }

    @Test func `a stream is in the queue once`() {
        var machine = self.open()
        #expect(machine.joinsQueue() == true)
        #expect(machine.joinsQueue() == false)
        machine.leavesQueue()
        #expect(machine.joinsQueue() == true)
    }

    // MARK: All orders

    private enum Event: CaseIterable {
        case opened, openedWhole, requestEnded, read, unread, failed, closed
    }

    private struct Run {
        var machine = Machine()
        var script: [Event] = []
        var hasOpened = false
        var endedReadingCount = 0

        mutating func happen(_ event: Event) {
            let before = self.machine
            self.script.append(event)
            switch event {
            case .opened, .openedWhole:
                let isWanted = self.machine.opened(as: .first, isComplete: event == .openedWhole)
                #expect(isWanted == before.mayOpen, "\(self.script)")
                self.hasOpened = true
            case .requestEnded: #expect(self.machine.requestEnded() == before.isResponseComplete, "\(self.script)")
            case .read, .unread: _ = self.machine.responseEnded(isRead: event == .read)
            case .failed:
                if self.machine.failed(HTTP2StreamStateMachineTests.reset).endsReading { self.endedReadingCount += 1 }
            case .closed: _ = self.machine.closed()
            }
            #expect(self.machine.id == (self.hasOpened ? .first : nil), "\(self.script)")
            #expect(self.machine.openID == nil || self.machine.openID == self.machine.id, "\(self.script)")
            #expect(before.openID != nil || event == .opened || self.machine.openID == nil, "\(self.script)")
            #expect(!before.isComplete || self.machine.isComplete, "complete for ever: \(self.script)")
            #expect(!before.isResponseComplete || self.machine.isResponseComplete, "\(self.script)")
            #expect(self.machine.failure == nil || !self.machine.isResponseComplete, "\(self.script)")
            #expect(self.endedReadingCount <= 1, "\(self.script)")
        }
    }

    @Test func `no order breaks a rule`() { self.explore(Run(), depth: 6) }

    /// Tries each event; a stream is opened at most once.
    private func explore(_ run: Run, depth: Int) {
        guard depth > 0 else { return }
        for event in Event.allCases where !(run.hasOpened && (event == .opened || event == .openedWhole)) {
            var next = run
            next.happen(event)
            self.explore(next, depth: depth - 1)
        }
    }
}
