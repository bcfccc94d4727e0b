// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernTransfers
import TestSupport
import Testing

/// Runs downloads against a server that changes, lies and breaks, with crashes between any two events.
@Suite("DownloadStateMachine: random events")
struct RandomDownloadTests {
    @Test(arguments: 0..<20, [1, 5])
    func `records are true, versions are never mixed, and every download ends whole`(_ group: UInt64, _ count: Int) {
        var workerCount = 0
        for seed in (group * 25)..<(group * 25 + 25) {
            var run = DownloadRun(seed: seed, maximumRequestCount: count)
            while true {
                // In the end, the server follows the rules and no process crashes.
                if run.callCount == 30 { run.isHonest = true }
                guard run.callCount < 40 else {
                    Issue.record("\(run.note) does not end")
                    break
                }
                let outcome = try? run.call()
                workerCount = max(workerCount, run.workerCount)
                guard case .complete(let byteCount)? = outcome else { continue }
                #expect(run.disk.names.isInPlace && Int(byteCount) == run.disk.content.count, "\(run.note)")
                #expect(run.server.isWholeVersion(run.disk.content), "\(run.note)")
                #expect(run.disk.names.record == nil && !run.disk.names.hasPartialFile, "\(run.note)")
                break
            }
        }
        #expect((workerCount > 1) == (count > 1))
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
                guard let request = machine.start().request else { return #expect(safe.byteCount == 1000) }
                #expect(request.first ?? 0 == safe.prefixByteCount, "seed \(seed)")
                let isPart = request.first != nil
                let fields = isPart ? Samples.part("bytes \(safe.end)-999/1000") : Samples.whole(1000)
                let left = machine.received(
                    status: isPart ? 206 : 200,
                    fields: fields,
                    now: Samples.now,
                    by: 0,
                    using: &generator
                )
                #expect(left == .leave)
                var step = machine.workersLeft()
                while case .perform = step { step = machine.performed() }
                guard let reception = step.reception else { return #expect(Bool(false), "seed \(seed)") }
                var position = BodyPosition(reception)
                for _ in 0..<Int.random(in: 0..<9, using: &generator) {
                    guard let range = position.next(byteCount: 7), machine.wrote(range, by: 0) == .synchronize else {
                        continue
                    }
                    guard case .writeRecord(let record)? = machine.synced().first else { continue }
                    (safe, stored) = (record.ranges, .usable(record))
                }
            }
        }
    }
}
