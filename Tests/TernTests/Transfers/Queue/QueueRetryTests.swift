// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@testable import TernTransferQueue

@Suite("The waits of a queue", .hangLimit)
struct QueueRetryTests {
    /// The date that the clock of a test shows at first.
    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    @Test func `a delay is known by its date, and ends at it`() async throws {
        let server = ResourceServer([1: [.status(.serviceUnavailable)]])
        let scene = try QueueScene(server)
        let queue = try await scene.queue(QueueScene.steady)
        let id = try await queue.add(scene.download(1))
        let running = queue.start()
        try await scene.clock.waitForScheduled(in: .seconds(10))
        #expect(queue.transfer(id)?.state == .delayed(until: Self.start + 10))
        scene.clock.advance(by: .seconds(9))
        #expect(server.requests.count == 1)
        scene.clock.advance(by: .seconds(1))
        try await running.value
        #expect(queue.states == [.completed])
    }

    @Test func `resuming a delayed transfer ends its delay`() async throws {
        let server = ResourceServer([1: [.status(.serviceUnavailable)]])
        let scene = try QueueScene(server)
        let queue = try await scene.queue(QueueScene.steady)
        let id = try await queue.add(scene.download(1))
        let running = queue.start()
        try await scene.clock.waitForScheduled(in: .seconds(10))
        try await queue.resume(id)
        try await running.value
        #expect(queue.states == [.completed])
    }

    /// Leaves a transfer that waits for an hour, as the server has asked.
    private func delayed() async throws -> QueueScene {
        let busy = Conduct.status(.tooManyRequests, [.retryAfter: "3600"])
        let scene = try QueueScene(ResourceServer([1: [busy]]))
        let queue = try await scene.queue(QueueScene.steady)
        let id = try await queue.add(scene.download(1))
        let running = queue.start()
        try await scene.clock.waitForScheduled(in: .seconds(3610))
        #expect(queue.transfer(id)?.state == .delayed(until: Self.start + 3610))
        running.cancel()
        try await running.value
        return scene
    }

    @Test(arguments: [(600, 3010), (3610, 0), (100_000, 0)])
    func `the server's wait goes on in a later process`(elapsed: Int, rest: Int) async throws {
        let scene = try await self.delayed()
        let clock = ManualClock(date: HTTPDate(secondsSince1970: 1_767_225_600 + Int64(elapsed)))
        let server = ResourceServer()
        let later = try QueueScene(in: scene.folder, clock: clock) { await server.scripted.serve($0) }
        let queue = try await later.queue(QueueScene.steady)
        let running = queue.start()
        if rest > 0 {
            try await clock.waitForScheduled(in: .seconds(rest))
            #expect(server.requests.isEmpty)
            clock.advance(by: .seconds(rest))
        }
        try await running.value
        #expect(queue.states == [.completed])
    }

    @Test func `if the date jumps back, all processes together wait no longer than the delay was`() async throws {
        let scene = try await self.delayed()
        for (date, rest) in [(Int64(0), 3610), (3000, 610), (3610, 0)] {
            let clock = ManualClock(date: HTTPDate(secondsSince1970: date))
            let server = ResourceServer()
            let later = try QueueScene(in: scene.folder, clock: clock) { await server.scripted.serve($0) }
            let queue = try await later.queue(QueueScene.steady)
            let running = queue.start()
            if rest > 0 {
                try await clock.waitForScheduled(in: .seconds(rest))
                #expect(server.requests.isEmpty)
                running.cancel()
            }
            try await running.value
            if rest == 0 { #expect(queue.states == [.completed]) }
        }
    }

    @Test
    func `if the date of the machine jumps back, the wait is never longer than it was`() async throws {
        let scene = try await self.delayed()
        let clock = ManualClock(date: HTTPDate(secondsSince1970: 0))
        let later = try QueueScene(in: scene.folder, clock: clock) {
            await ResourceServer().scripted.serve($0)
        }
        let queue = try await later.queue(QueueScene.steady)
        let running = queue.start()
        try await clock.waitForScheduled(in: .seconds(3610))
        clock.advance(by: .seconds(3610))
        try await running.value
        #expect(queue.states == [.completed])
    }

    // MARK: The network

    /// A delegate that holds the first attempts until a number of them has begun.
    ///
    /// Otherwise the first could fail before the queue has begun the others, which then would wait for the network.
    private struct Gathering: TransferQueueDelegate {
        let meeting: Meeting

        init(of count: Int) { self.meeting = Meeting(of: count) }

        func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request {
            await self.meeting.arrive()
            return request
        }
    }

    @Test func `while the network is gone, one transfer probes, and then all go on`() async throws {
        let server = ResourceServer()
        let scene = try QueueScene(server, plan: .refuse(.notConnected(.noNetwork)))
        let queue = try await scene.queue(QueueScene.steady, delegate: Gathering(of: 4))
        for number in 1...5 { try await queue.add(scene.download(number, host: "host\(number)")) }
        let running = queue.start()
        // The first four have failed, and the first probe starts after a second.
        try await eventually("\(scene.connector.endpoints.count) attempts") {
            queue.states.count { if case .delayed = $0 { true } else { false } } == 4
        }
        #expect(!queue.isNetworkAvailable)
        #expect(scene.connector.endpoints.count == 4)
        for count in 5...7 {
            try await eventually("a timer") { !scene.clock.scheduledDelays.isEmpty }
            // Not further: the next probe could begin before the clock stops.
            scene.clock.advance(by: try #require(scene.clock.scheduledDelays.first))
            try await eventually("\(scene.connector.endpoints.count) attempts") {
                scene.connector.endpoints.count == count
                    && queue.states.allSatisfy { if case .delayed = $0 { true } else { false } }
            }
        }
        #expect(
            queue.transfers.allSatisfy { $0.failedAttemptCount == 0 && $0.failure?.reason == .network }
        )
        scene.connector.plan(.accept(), .accept(), .accept(), .accept(), .accept())
        try await eventually("a timer") { !scene.clock.scheduledDelays.isEmpty }
        scene.clock.advance(by: try #require(scene.clock.scheduledDelays.first))
        try await running.value
        #expect(queue.isNetworkAvailable)
        #expect(queue.states == Array(repeating: .completed, count: 5))
    }

    @Test func `when the application says that the network has changed, nothing waits`() async throws {
        let scene = try QueueScene(ResourceServer())
        scene.connector.plan(
            .refuse(.notConnected(.noNetwork)),
            .refuse(.notConnected(.resolution(isTemporary: true)))
        )
        let queue = try await scene.queue(QueueScene.steady, delegate: Gathering(of: 2))
        for number in 1...2 { try await queue.add(scene.download(number)) }
        let running = queue.start()
        try await eventually("\(queue.states)") {
            queue.states.allSatisfy { if case .delayed = $0 { true } else { false } }
        }
        #expect(!queue.isNetworkAvailable)
        queue.networkChanged()
        try await running.value
        #expect(queue.states == [.completed, .completed])
    }
}
