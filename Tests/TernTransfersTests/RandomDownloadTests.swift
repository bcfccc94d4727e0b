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
        for seed in (group * 25)..<(group * 25 + 25) {
            var run = DownloadRun(seed: seed, maximumRequestCount: count)
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
