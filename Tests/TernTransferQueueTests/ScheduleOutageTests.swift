// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
@testable import TernTransferQueue
import Testing

@Suite("TransferSchedule: without a network")
struct ScheduleOutageTests {
    private func gone() -> ScheduleScene {
        var scene = ScheduleScene { $0.maximumRunningCountPerHost = 4 }
        for number in 1...6 as ClosedRange<Int64> { scene.add(number, host: number == 6 ? "b" : "a") }
        #expect(scene.start() == [1, 2, 3, 4])
        for number in 1...4 as ClosedRange<Int64> { scene.end(number, .unreachable) }
        #expect(scene.schedule.outage != nil)
        return scene
    }

    @Test func `attempts that do not reach the network do not count`() {
        let scene = self.gone()
        for entry in scene.schedule.entries.values { #expect(entry.failedAttemptCount == 0) }
    }

    @Test func `one transfer at a time probes, with a growing delay up to a limit`() {
        var scene = self.gone()
        for (delay, number) in [(1, 5), (2, 6), (4, 1), (4, 2), (4, 3)] as [(Int, Int64)] {
            #expect(scene.start() == [])
            #expect(scene.rest() == .wait(until: scene.instant(after: .seconds(delay))))
            scene.advance(.seconds(delay))
            #expect(scene.start() == [number])
            #expect(scene.rest() == .wait(until: nil))
            scene.end(number, .unreachable)
        }
    }

    @Test func `the first bytes let all others go on at once`() {
        var scene = self.gone()
        scene.advance(.seconds(1))
        #expect(scene.start() == [5])
        scene.transferred(5, byteCount: 1)
        #expect(scene.schedule.outage == nil)
        // Four at a time: the probe, and three of those that failed.
        #expect(scene.start() == [1, 2, 3])
    }

    @Test(
        arguments: [
            .completed, .failed(isAnswered: true), .passing(retryAfter: nil, isAnswered: true),
        ] as [AttemptEnd]
    )
    func `any answer ends the outage`(_ end: AttemptEnd) {
        var scene = self.gone()
        scene.advance(.seconds(1))
        _ = scene.start()
        scene.end(5, end)
        #expect(scene.schedule.outage == nil)
    }

    @Test(arguments: [.lost, .notStored, .failed(isAnswered: false)] as [AttemptEnd])
    func `a probe without an answer is followed by another one`(_ end: AttemptEnd) {
        var scene = self.gone()
        scene.advance(.seconds(1))
        _ = scene.start()
        scene.end(5, end)
        #expect(scene.schedule.outage?.failedProbeCount == 1)
        #expect(scene.rest() == .wait(until: scene.instant(after: .seconds(2))))
    }

    @Test func `a probe that is paused gives its place to another one at once`() {
        var scene = self.gone()
        scene.advance(.seconds(1))
        _ = scene.start()
        #expect(scene.schedule.pause(ScheduleScene.id(5)) == .stop)
        scene.end(5, .interrupted)
        #expect(scene.start() == [6])
    }

    @Test func `while another transfer receives bytes, only the host that was not reached waits`() {
        var scene = ScheduleScene()
        scene.add(1, host: "silent")
        scene.add(2, host: "b")
        scene.add(3, host: "b")
        scene.add(4, host: "c")
        #expect(scene.start() == [1, 2, 3, 4])
        scene.transferred(2, byteCount: 1)
        scene.end(1, .unreachable)
        #expect(scene.schedule.outage == nil)
        #expect(scene.phase(1) == .delayed(until: scene.instant(after: .seconds(1)), isForNetwork: true))
    }

    @Test func `a host that was the only one to fail keeps its delay when another host answers`() {
        var scene = ScheduleScene { $0.maximumRunningCount = 1 }
        scene.add(1, host: "silent")
        scene.add(2, host: "b")
        #expect(scene.start() == [1])
        scene.end(1, .unreachable)
        scene.advance(.milliseconds(1000))
        #expect(scene.start() == [2])
        scene.end(2, .completed)
        #expect(scene.schedule.outage == nil)
        #expect(scene.start() == [1])
        scene.end(1, .unreachable)
        // Alone, it probes with a growing delay.
        for delay in [1, 2, 4, 4] {
            #expect(scene.rest() == .wait(until: scene.instant(after: .seconds(delay))))
            scene.advance(.seconds(delay))
            #expect(scene.start() == [1])
            scene.end(1, .unreachable)
        }
        #expect(scene.schedule.entries[ScheduleScene.id(1)]?.failedAttemptCount == 0)
    }

    @Test func `when the application says that the network has changed, all go on at once`() {
        var scene = self.gone()
        scene.schedule.networkChanged()
        #expect(scene.schedule.outage == nil)
        #expect(scene.start() == [1, 2, 3, 4])
    }
}
