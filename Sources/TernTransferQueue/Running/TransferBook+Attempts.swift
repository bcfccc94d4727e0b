// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests

extension TransferBook {
    enum DiskChange: Sendable {
        case none
        case store(StoredTransfer)
        case remove(StoredTransfer)
    }

    mutating func nextStep(now: ClockInstant) -> TransferSchedule.Step {
        let step = self.schedule.next(now: now)
        if case .start(let id) = step { self.note(.transfer(id)) }
        return step
    }

    /// Returns whether the attempt must end at once, because the application has said so meanwhile.
    mutating func begin(_ id: TransferID, _ cancel: @escaping @Sendable () -> Void) -> Bool {
        self.items[id]?.cancel = cancel
        if case .stopping = self.schedule.entries[id]?.phase { return true }
        return false
    }

    mutating func end(_ id: TransferID, _ result: AttemptResult, now: ClockInstant, date: HTTPDate) -> DiskChange {
        guard var item = self.items[id] else { return .none }
        var generator = SystemRandomNumberGenerator()
        self.updateSchedule { $0.ended(id, result.end, now: now, using: &generator) }
        guard let entry = self.schedule.entries[id] else { return .none }
        item.cancel = nil
        var stored = item.stored
        stored.failedAttemptCount = entry.failedAttemptCount
        if let failure = result.failure {
            item.failure = failure
            stored.failure = StoredTransfer.Failure(failure)
        } else if result.end == .completed {
            item.failure = nil
        }
        stored.mayBeProcessed = item.mayBeProcessed
        (stored.byteCount, stored.totalByteCount) = (item.progress.byteCount, item.progress.totalByteCount)
        switch entry.phase {
        case .delayed(let end, _):
            let delay = now.duration(to: end)
            stored.phase = .delayed(until: date.advanced(by: delay), secondCount: delay.wholeSecondCount)
        case .paused: stored.phase = .paused
        case .failed: stored.phase = .failed
        // The form on the disk is that of a complete transfer already.
        case .completed: stored = item.stored
        case .waiting, .running, .stopping, .removing: stored.phase = .waiting
        }
        let isChanged = stored != item.stored
        item.stored = stored
        self.items[id] = item
        self.note(.transfer(id))
        if entry.phase == .removing { return .remove(stored) }
        return isChanged ? .store(stored) : .none
    }

    mutating func takeEnds(
        _ id: TransferID
    ) -> (ends: [Suspension<Result<Void, TransferQueueError>>], answer: ResumedUpload?) {
        guard var item = self.items[id] else { return ([], nil) }
        defer { self.items[id] = item }
        let taken = (item.ends, item.answer)
        (item.ends, item.answer) = ([], nil)
        return taken
    }
}
