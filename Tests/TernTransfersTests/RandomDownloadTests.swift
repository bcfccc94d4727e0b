// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernTransfers
import TestSupport
import Testing

/// Runs downloads against a server that changes, lies and breaks, with crashes between any two events.
@Suite("DownloadStateMachine: random events")
struct RandomDownloadTests {
    private struct Crash: Error {}

    /// One download of as many calls as it needs.
    private struct Run {
        var generator: SeededGenerator
        var disk = SimulatedDisk()
        var server: SimulatedServer
        var isHonest = false
        var callCount = 0
        let note: String

        init(seed: UInt64) {
            self.generator = SeededGenerator(seed: seed)
            self.server = SimulatedServer(using: &self.generator)
            self.note = "seed \(seed)"
        }

        private mutating func happens(_ oneIn: Int) -> Bool {
            !self.isHonest && Int.random(in: 0..<oneIn, using: &self.generator) == 0
        }

        private mutating func mayCrash() throws(Crash) {
            self.disk.check(self.server, self.note)
            guard self.happens(40) else { return }
            self.disk.crash(using: &self.generator)
            self.disk.check(self.server, "\(self.note), after a crash")
            throw Crash()
        }

        /// Performs one call, as its driver does.
        mutating func call() throws(Crash) -> DownloadOutcome {
            self.callCount += 1
            var machine = DownloadStateMachine(
                source: Samples.source,
                fileName: Samples.fileName,
                stored: self.disk.stored,
                found: self.disk.found,
                policy: ResumptionPolicy(maximumAttemptCount: 4),
                syncInterval: Int64.random(in: 1...100, using: &self.generator)
            )
            var step = machine.start()
            var answer = SimulatedServer.Answer(status: 0, fields: [:])
            while true {
                try self.mayCrash()
                switch step {
                case .end(let outcome): return outcome
                case .perform(let action):
                    if self.happens(100) {
                        step = machine.fileFailed()
                        continue
                    }
                    self.disk.perform(action)
                    try self.mayCrash()
                    if case .checkDigest = action {
                        step = machine.digestChecked(matches: true)
                    } else {
                        step = machine.performed()
                    }
                case .send(let request, _):
                    if self.happens(12) { self.server.change(using: &self.generator) }
                    if self.happens(15) {
                        step = machine.cut(by: Samples.reset, using: &self.generator)
                        continue
                    }
                    answer = self.server.answer(request, isHonest: self.isHonest, using: &self.generator)
                    let (before, status, fields) = (machine.progress, answer.status, answer.fields)
                    step = machine.received(status: status, fields: fields, now: Samples.now, using: &self.generator)
                    self.compare(before, machine.progress, step)
                case .receive:
                    self.disk.open()
                    machine.fileNumber = 7
                    step = try self.receive(answer, &machine)
                }
            }
        }

        /// Checks that progress does not go back unless the resource has changed.
        private func compare(_ before: DownloadProgress, _ after: DownloadProgress, _ step: DownloadStep) {
            guard after.completedByteCount < before.completedByteCount else { return }
            #expect(after.completedByteCount == 0, "\(self.note)")
            if case .receive(let reception) = step {
                #expect(reception.restart?.isResourceChange == true, "\(self.note)")
            }
        }

        private mutating func receive(
            _ answer: SimulatedServer.Answer,
            _ machine: inout DownloadStateMachine
        ) throws(Crash) -> DownloadStep {
            var (rest, syncing) = (answer.body[...], [UInt8]?.none)
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...40, using: &self.generator))
                rest = rest.dropFirst(piece.count)
                switch machine.arrived(byteCount: piece.count) {
                case .write(let offset): self.disk.write(Array(piece), at: offset)
                case .refuse(let step): return step
                }
                try self.mayCrash()
                let before = machine.progress.completedByteCount
                if machine.wrote(byteCount: piece.count) {
                    #expect(syncing == nil, "\(self.note)")
                    syncing = self.disk.content
                }
                #expect(machine.progress.completedByteCount >= before, "\(self.note)")
                if let content = syncing, Bool.random(using: &self.generator) {
                    syncing = nil
                    self.disk.synchronize(content)
                    for action in machine.synced() {
                        try self.mayCrash()
                        self.disk.perform(action)
                    }
                }
            }
            if answer.isCut { return machine.cut(by: Samples.reset, using: &self.generator) }
            if self.happens(20) { return machine.cut(by: Samples.cancelled, using: &self.generator) }
            return machine.bodyEnded(trailers: nil, using: &self.generator)
        }
    }

    @Test(arguments: 0..<20)
    func `records are true, versions are never mixed, and every download ends whole`(_ group: UInt64) {
        for seed in (group * 25)..<(group * 25 + 25) {
            var run = Run(seed: seed)
            while true {
                // In the end, the server follows the rules and no process crashes.
                if run.callCount == 30 { run.isHonest = true }
                guard run.callCount < 40 else {
                    Issue.record("\(run.note) does not end")
                    break
                }
                guard case .complete(let byteCount)? = try? run.call() else { continue }
                #expect(run.disk.names.isInPlace && Int(byteCount) == run.disk.content.count, "\(run.note)")
                #expect(run.server.isWholeVersion(run.disk.content), "\(run.note)")
                #expect(run.disk.names.record == nil && !run.disk.names.hasPartialFile, "\(run.note)")
                break
            }
        }
    }

    /// A call that only ever meets crashes fetches again only what was not safe.
    @Test func `crashes cost only the bytes that were not safe`() {
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var safe = ByteRangeSet()
            var stored = StoredRecord.absent
            for _ in 0..<20 {
                let found = FoundFiles(partialByteCount: stored == .absent ? nil : safe.end + 30)
                var machine = DownloadStateMachine(
                    source: Samples.source,
                    fileName: Samples.fileName,
                    stored: stored,
                    found: found,
                    syncInterval: 10
                )
                guard case .send(let request, _) = machine.start() else { return #expect(safe.byteCount == 1000) }
                #expect(request.first ?? 0 == safe.prefixByteCount, "seed \(seed)")
                let isPart = request.first != nil
                let fields = isPart ? Samples.part("bytes \(safe.end)-999/1000") : Samples.whole(1000)
                var step = machine.received(
                    status: isPart ? 206 : 200,
                    fields: fields,
                    now: Samples.now,
                    using: &generator
                )
                while case .perform = step { step = machine.performed() }
                for _ in 0..<Int.random(in: 0..<9, using: &generator) {
                    guard case .write = machine.arrived(byteCount: 7), machine.wrote(byteCount: 7) else { continue }
                    guard case .writeRecord(let record)? = machine.synced().first else { continue }
                    (safe, stored) = (record.ranges, .usable(record))
                }
            }
        }
    }
}
