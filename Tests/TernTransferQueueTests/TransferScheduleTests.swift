// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
@testable import TernTransferQueue
import Testing

@Suite("TransferSchedule")
struct TransferScheduleTests {
    // MARK: Order and limits

    @Test func `the higher priority starts first, then the lower number`() {
        var scene = ScheduleScene { $0.maximumRunningCountPerHost = 9 }
        for (index, priority) in [TransferPriority.low, .normal, .high, .normal, .high].enumerated() {
            scene.add(Int64(index + 1), priority)
        }
        #expect(scene.start() == [3, 5, 2, 4])
        scene.end(3, .completed)
        #expect(scene.start() == [1])
        #expect(scene.rest() == .wait(until: nil))
    }

    @Test func `the limits in all and for each host hold, and a busy host holds up only its own transfers`() {
        var scene = ScheduleScene { $0.maximumRunningCount = 3 }
        for number in 1...4 as ClosedRange<Int64> { scene.add(number, host: "a", .high) }
        scene.add(5, host: "b", .low)
        scene.add(6, host: "b", .low)
        #expect(scene.start() == [1, 2, 5])
        scene.end(5, .completed)
        #expect(scene.start() == [6])
        scene.end(1, .completed)
        #expect(scene.start() == [3])
    }

    @Test func `limits below one have the effect of one`() {
        var scene = ScheduleScene {
            $0.maximumRunningCount = 0
            $0.maximumRunningCountPerHost = -1
            $0.maximumAttemptCount = 0
        }
        scene.add(1)
        scene.add(2)
        #expect(scene.start() == [1])
        scene.end(1, .lost)
        #expect(scene.phase(1) == .failed)
        #expect(scene.start() == [2])
    }

    @Test func `a priority may change while a transfer waits`() {
        var scene = ScheduleScene { $0.maximumRunningCount = 1 }
        scene.add(1)
        scene.add(2)
        scene.schedule.setPriority(.high, of: ScheduleScene.id(2))
        #expect(scene.start() == [2])
    }

    @Test func `without transfers that can go on, the schedule is idle`() {
        var scene = ScheduleScene()
        #expect(scene.rest() == .idle)
        scene.add(1)
        #expect(scene.start() == [1])
        #expect(scene.rest() == .wait(until: nil))
        scene.end(1, .completed)
        #expect(scene.rest() == .idle)
    }

    // MARK: Failures

    @Test func `a failure delays the next attempt, longer each time, until there are too many`() {
        var scene = ScheduleScene()
        scene.add(1)
        for delay in [10, 20] {
            #expect(scene.start() == [1])
            scene.end(1, .lost)
            #expect(scene.phase(1) == .delayed(until: scene.instant(after: .seconds(delay)), isForNetwork: false))
            #expect(scene.rest() == .wait(until: scene.instant(after: .seconds(delay))))
            scene.advance(.seconds(delay))
        }
        #expect(scene.start() == [1])
        scene.end(1, .lost)
        #expect(scene.phase(1) == .failed)
        #expect(scene.rest() == .idle)
    }

    @Test func `other transfers run while one is delayed`() {
        var scene = ScheduleScene { $0.maximumRunningCount = 1 }
        scene.add(1, .high)
        scene.add(2)
        #expect(scene.start() == [1])
        scene.end(1, .lost)
        #expect(scene.start() == [2])
        scene.advance(.seconds(10))
        // No place is free, so the end of the delay is no reason to wake.
        #expect(scene.rest() == .wait(until: nil))
        scene.end(2, .completed)
        #expect(scene.start() == [1])
    }

    @Test func `a mebibyte of progress lets the count of attempts start again`() {
        var scene = ScheduleScene()
        scene.add(1)
        for round in 1...10 as ClosedRange<Int64> {
            #expect(scene.start() == [1])
            scene.transferred(1, byteCount: round << 20)
            scene.end(1, .lost)
            #expect(scene.schedule.entries[ScheduleScene.id(1)]?.failedAttemptCount == 1)
            scene.advance(.seconds(40))
        }
    }

    @Test func `less progress does not, and a transfer that begins again is measured from there`() {
        var scene = ScheduleScene()
        scene.add(1)
        _ = scene.start()
        scene.transferred(1, byteCount: 5 << 20)
        scene.transferred(1, byteCount: 100)
        scene.end(1, .lost)
        scene.advance(.seconds(40))
        _ = scene.start()
        scene.transferred(1, byteCount: 1 << 20)
        scene.end(1, .lost)
        #expect(scene.schedule.entries[ScheduleScene.id(1)]?.failedAttemptCount == 2)
    }

    private func failedCount(_ scene: ScheduleScene) -> Int? {
        scene.schedule.entries[ScheduleScene.id(1)]?.failedAttemptCount
    }

    @Test func `bytes that were lost and arrive again do not start the count again`() {
        var scene = ScheduleScene()
        scene.add(1)
        for attempt in 1...3 {
            #expect(scene.start() == [1])
            scene.transferred(1, byteCount: 0)
            scene.transferred(1, byteCount: 1 << 20)
            scene.end(1, .lost)
            #expect(self.failedCount(scene) == attempt)
            scene.advance(.seconds(41))
        }
        #expect(scene.phase(1) == .failed)
    }

    @Test func `they do after an attempt that lasted, and bytes beyond them do at once`() {
        var scene = ScheduleScene()
        scene.add(1)
        // The first attempt has new bytes, and the third lasts.
        for (duration, count) in [(4999, 1), (4999, 2), (5000, 1), (4999, 2)] {
            #expect(scene.start() == [1])
            scene.transferred(1, byteCount: 0)
            scene.transferred(1, byteCount: 1 << 20)
            scene.advance(.milliseconds(duration))
            scene.end(1, .lost)
            #expect(self.failedCount(scene) == count)
            scene.advance(.seconds(41))
        }
        #expect(scene.start() == [1])
        scene.transferred(1, byteCount: 2 << 20)
        scene.end(1, .lost)
        #expect(self.failedCount(scene) == 1)
    }

    @Test(arguments: [Int64(0), 1, 1000])
    func `a few bytes in each attempt do not keep a transfer alive`(byteCount: Int64) {
        var scene = ScheduleScene()
        scene.add(1)
        for attempt in 1...3 as ClosedRange<Int64> {
            #expect(scene.start() == [1])
            scene.transferred(1, byteCount: attempt * byteCount)
            scene.advance(.seconds(60))
            scene.end(1, .passing(retryAfter: .zero, isAnswered: true))
            scene.advance(.seconds(41))
        }
        #expect(scene.phase(1) == .failed)
    }

    @Test func `a server cannot shorten the pause after a short attempt below half a second`() {
        for (initial, minimum) in [(1000, 500), (200, 200), (0, 0)] {
            var scene = ScheduleScene { configuration in
                configuration.backoff = Backoff(initialDelay: .milliseconds(initial), maximumDelay: .seconds(300))
            }
            scene.add(1)
            for round in 1...50 as ClosedRange<Int64> {
                #expect(scene.start() == [1])
                scene.transferred(1, byteCount: round << 20)
                scene.end(1, .passing(retryAfter: round.isMultiple(of: 2) ? .zero : nil, isAnswered: true))
                let least = scene.instant(after: .milliseconds(minimum))
                let most = scene.instant(after: .milliseconds(minimum + initial))
                guard case .delayed(let end, false) = scene.phase(1) else {
                    Issue.record("not delayed")
                    return
                }
                #expect(end >= least && end <= most)
                scene.now = end
            }
        }
    }

    @Test func `an attempt that lasted, and one without progress, have the backoff alone`() {
        for (byteCount, duration) in [(Int64(1 << 20), 5), (0, 0)] {
            var scene = ScheduleScene()
            scene.add(1)
            _ = scene.start()
            scene.transferred(1, byteCount: byteCount)
            scene.advance(.seconds(duration))
            scene.end(1, .lost)
            #expect(scene.phase(1) == .delayed(until: scene.instant(after: .seconds(10)), isForNetwork: false))
        }
    }

    @Test func `the server's wait is added to the backoff, and a wait that is too long ends the transfer`() {
        var scene = ScheduleScene()
        scene.add(1)
        scene.add(2)
        _ = scene.start()
        scene.end(1, .passing(retryAfter: .seconds(100), isAnswered: true))
        #expect(scene.phase(1) == .delayed(until: scene.instant(after: .seconds(110)), isForNetwork: false))
        scene.end(2, .passing(retryAfter: .seconds(101), isAnswered: true))
        #expect(scene.phase(2) == .failed)
    }

    @Test func `a failure of the queue's own files never ends a transfer`() {
        var scene = ScheduleScene()
        scene.add(1)
        for _ in 0..<20 {
            #expect(scene.start() == [1])
            scene.end(1, .notStored)
            scene.advance(.seconds(40))
        }
        #expect(scene.schedule.entries[ScheduleScene.id(1)]?.failedAttemptCount == 0)
    }

    @Test func `a failure for good leaves the transfer until it is resumed`() {
        var scene = ScheduleScene()
        scene.add(1)
        _ = scene.start()
        scene.end(1, .failed(isAnswered: true))
        #expect(scene.phase(1) == .failed)
        #expect(scene.rest() == .idle)
        #expect(scene.schedule.resume(ScheduleScene.id(1)) == .done)
        #expect(scene.start() == [1])
    }
}
