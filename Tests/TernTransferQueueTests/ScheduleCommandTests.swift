// SPDX-License-Identifier: Apache-2.0
import Tern
@testable import TernTransferQueue
import Testing

@Suite("TransferSchedule: commands")
struct ScheduleCommandTests {
    private let one = ScheduleScene.id(1)

    private func running() -> ScheduleScene {
        var scene = ScheduleScene()
        scene.add(1)
        _ = scene.start()
        return scene
    }

    @Test func `a paused transfer does not start until it is resumed`() {
        var scene = ScheduleScene()
        scene.add(1)
        #expect(scene.schedule.pause(self.one) == .done)
        #expect(scene.start() == [])
        #expect(scene.rest() == .idle)
        #expect(scene.schedule.pause(self.one) == .none)
        #expect(scene.schedule.resume(self.one) == .done)
        #expect(scene.schedule.resume(self.one) == .none)
        #expect(scene.start() == [1])
    }

    @Test(arguments: [.interrupted, .lost, .unreachable, .notStored] as [AttemptEnd])
    func `a running transfer that is paused ends first`(_ end: AttemptEnd) {
        var scene = self.running()
        #expect(scene.schedule.pause(self.one) == .stop)
        #expect(scene.phase(1) == .stopping(.paused))
        scene.end(1, end)
        #expect(scene.phase(1) == .paused)
    }

    @Test func `a transfer that completes or fails for good while it is paused has that state`() {
        var scene = self.running()
        _ = scene.schedule.pause(self.one)
        scene.end(1, .completed)
        #expect(scene.phase(1) == .completed)
        scene = self.running()
        _ = scene.schedule.pause(self.one)
        scene.end(1, .failed(isAnswered: false))
        #expect(scene.phase(1) == .failed)
    }

    @Test func `a transfer that is resumed while it ends starts again`() {
        var scene = self.running()
        _ = scene.schedule.pause(self.one)
        #expect(scene.schedule.resume(self.one) == .done)
        #expect(scene.start() == [])
        scene.end(1, .interrupted)
        #expect(scene.start() == [1])
    }

    @Test func `resuming ends a delay, and forgets the failures`() {
        var scene = self.running()
        scene.end(1, .lost)
        #expect(scene.start() == [])
        #expect(scene.schedule.resume(self.one) == .done)
        #expect(scene.schedule.entries[self.one]?.failedAttemptCount == 0)
        #expect(scene.start() == [1])
    }

    @Test func `pausing all ends what runs, and nothing starts until all are resumed`() {
        var scene = self.running()
        scene.add(2)
        #expect(scene.schedule.pauseAll() == [self.one])
        #expect(scene.rest() == .wait(until: nil))
        scene.end(1, .interrupted)
        #expect(scene.rest() == .idle)
        scene.schedule.resumeAll()
        #expect(scene.start() == [1, 2])
    }

    @Test func `a transfer that was paused by itself stays so when all are resumed`() {
        var scene = self.running()
        _ = scene.schedule.pauseAll()
        #expect(scene.schedule.pause(self.one) == .stop)
        scene.end(1, .interrupted)
        scene.schedule.resumeAll()
        #expect(scene.phase(1) == .paused)
    }

    @Test(arguments: [.interrupted, .completed, .lost, .failed(isAnswered: true)] as [AttemptEnd])
    func `a running transfer that is removed ends first, and never starts again`(_ end: AttemptEnd) {
        var scene = self.running()
        #expect(scene.schedule.beginRemoving(self.one) == .stop)
        #expect(scene.schedule.pause(self.one) == .none)
        #expect(scene.schedule.resume(self.one) == .none)
        scene.end(1, end)
        #expect(scene.phase(1) == .removing)
        #expect(scene.rest() == .idle)
        scene.schedule.forget(self.one)
        #expect(scene.phase(1) == nil)
    }

    @Test func `commands about a transfer that does not exist have no effect`() {
        var scene = ScheduleScene()
        #expect(scene.schedule.pause(self.one) == .none)
        #expect(scene.schedule.resume(self.one) == .none)
        #expect(scene.schedule.beginRemoving(self.one) == .none)
        scene.end(1, .completed)
        scene.transferred(1, byteCount: 1)
        #expect(scene.rest() == .idle)
    }
}
