// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
@testable import TernTransferQueue
import TestSupport
import Testing

/// Runs schedules with random events, and checks what must hold after each of them.
@Suite("TransferSchedule: random events")
struct RandomScheduleTests {
    private struct Walk {
        var generator: SeededGenerator
        var scene: ScheduleScene
        let configuration: TransferQueueConfiguration
        var running: Set<Int64> = []
        var lastNumber: Int64 = 0
        /// Whether each attempt succeeds from now on.
        var isHonest = false
        let note: String

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            let limits = (Int.random(in: 1...6, using: &generator), Int.random(in: 1...3, using: &generator))
            self.scene = ScheduleScene { ($0.maximumRunningCount, $0.maximumRunningCountPerHost) = limits }
            self.configuration = self.scene.schedule.configuration
            self.generator = generator
            self.note = "seed \(seed)"
        }

        mutating func add() {
            self.lastNumber += 1
            let host = ["a", "b", "c"].randomElement(using: &self.generator) ?? "a"
            let priority = TransferPriority.allCases.randomElement(using: &self.generator) ?? .normal
            self.scene.add(self.lastNumber, host: host, priority)
        }

        mutating func start() {
            for _ in 0..<100 {
                let before = self.scene.schedule
                let step = self.scene.schedule.next(now: self.scene.now)
                #expect(step == before.stepByLookingAtAll(now: self.scene.now), "\(self.note)")
                switch step {
                case .start(let id):
                    #expect(self.running.insert(id.number).inserted, "\(self.note): \(id) starts twice")
                    self.checkStart(of: id, before)
                case .wait(let instant):
                    // A wait without an end needs something else that will happen.
                    #expect(instant ?? .init(nanoseconds: .max) > self.scene.now, "\(self.note)")
                    if instant == nil { #expect(!self.running.isEmpty, "\(self.note): nothing would ever happen") }
                    return
                case .idle:
                    #expect(self.running.isEmpty, "\(self.note)")
                    return
                }
            }
            Issue.record("\(self.note): the schedule starts without end")
        }

        /// Checks the order: without an outage, no transfer of a higher rank could have started.
        private func checkStart(of id: TransferID, _ before: TransferSchedule) {
            #expect(!before.isPaused, "\(self.note)")
            guard before.outage == nil, let started = before.entries[id] else { return }
            for (other, entry) in before.entries where other != id {
                let isDue =
                    switch entry.phase {
                    case .waiting: true
                    case .delayed(let instant, _): instant <= self.scene.now
                    default: false
                    }
                let isHigher = (-entry.priority.rawValue, other) < (-started.priority.rawValue, id)
                guard isDue, isHigher else { continue }
                let count = before.entries.values.filter { $0.isRunning && $0.host == entry.host }.count
                #expect(count >= self.configuration.maximumRunningCountPerHost, "\(self.note): \(other) before \(id)")
            }
        }

        mutating func check() {
            let entries = self.scene.schedule.entries
            let running = entries.filter { $0.value.isRunning }
            #expect(Set(running.keys.map(\.number)) == self.running, "\(self.note)")
            #expect(running.count <= self.configuration.maximumRunningCount, "\(self.note)")
            for host in ["a", "b", "c"].map({ ScheduleScene.origin($0) }) {
                let count = running.values.filter { $0.host == host }.count
                #expect(count <= self.configuration.maximumRunningCountPerHost, "\(self.note)")
            }
            if let probe = self.scene.schedule.outage?.probe {
                #expect(self.running.contains(probe.number), "\(self.note)")
            }
            for entry in entries.values where entry.phase != .failed {
                #expect(entry.failedAttemptCount < self.configuration.maximumAttemptCount, "\(self.note)")
            }
        }

        /// The phases of the transfers that are neither completed nor removed.
        var unended: [TransferID: TransferSchedule.Phase] {
            self.scene.schedule.entries.mapValues(\.phase).filter { _, phase in
                phase != .completed && phase != .removing && phase != .stopping(.removing)
            }
        }

        private mutating func randomEnd() -> AttemptEnd {
            guard !self.isHonest else { return .completed }
            return switch Int.random(in: 0..<8, using: &self.generator) {
            case 0: .failed(isAnswered: true)
            case 1: .passing(retryAfter: .seconds(Int.random(in: 0...120, using: &self.generator)), isAnswered: true)
            case 2: .lost
            case 3: .notStored
            case 4, 5: .unreachable
            case 6: .interrupted
            default: .completed
            }
        }

        mutating func event() {
            let number = Int64.random(in: 1...max(1, self.lastNumber), using: &self.generator)
            let id = ScheduleScene.id(number)
            switch Int.random(in: 0..<(self.isHonest ? 4 : 12), using: &self.generator) {
            case 0, 1, 2:
                guard let number = self.running.sorted().randomElement(using: &self.generator) else { break }
                self.running.remove(number)
                self.scene.end(number, self.randomEnd())
                let ended = ScheduleScene.id(number)
                if self.scene.phase(number) == .removing { self.scene.schedule.forget(ended) }
            case 3: self.scene.advance(.milliseconds(Int.random(in: 1...20_000, using: &self.generator)))
            case 4: self.add()
            case 5:
                let byteCount = Int64.random(in: 0...3 << 20, using: &self.generator)
                self.scene.transferred(number, byteCount: byteCount)
            case 6: _ = self.scene.schedule.pause(id)
            case 7: _ = self.scene.schedule.resume(id)
            case 8: if self.scene.schedule.beginRemoving(id) == .done { self.scene.schedule.forget(id) }
            case 9: _ = self.scene.schedule.pauseAll()
            case 10: self.scene.schedule.resumeAll()
            default: self.scene.schedule.networkChanged()
            }
        }
    }

    @Test(arguments: 0..<20)
    func `limits and order hold, nothing starts twice, and nothing starves`(_ group: UInt64) {
        for seed in (group * 10)..<(group * 10 + 10) {
            var walk = Walk(seed: seed)
            for _ in 0..<5 { walk.add() }
            for _ in 0..<400 {
                walk.start()
                walk.check()
                walk.event()
            }
            // From now on, each attempt succeeds. So all that may go on must complete.
            walk.isHonest = true
            walk.scene.schedule.resumeAll()
            for number in 1...walk.lastNumber { _ = walk.scene.schedule.resume(ScheduleScene.id(number)) }
            for _ in 0..<2000 {
                walk.start()
                walk.check()
                if walk.unended.isEmpty { break }
                walk.event()
            }
            #expect(walk.unended.isEmpty, "\(walk.note): \(walk.unended)")
        }
    }
}
