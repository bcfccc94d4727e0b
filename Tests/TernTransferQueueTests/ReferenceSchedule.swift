// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests
@testable import TernTransferQueue

extension TransferSchedule {
    /// Returns the next action, as ``next(now:)`` must return it, by looking at all transfers.
    func stepByLookingAtAll(now: ClockInstant) -> Step {
        let running = self.entries.values.filter(\.isRunning)
        let canGoOn = self.entries.values.contains { entry in
            switch entry.phase {
            case .waiting, .delayed: true
            default: false
            }
        }
        let isOver = running.isEmpty && !canGoOn
        guard !self.isPaused else { return running.isEmpty ? .idle : .wait(until: nil) }
        if let outage = self.outage, outage.probe != nil || now < outage.nextProbe {
            return isOver ? .idle : .wait(until: outage.probe == nil ? outage.nextProbe : nil)
        }
        guard running.count < max(1, self.configuration.maximumRunningCount) else { return .wait(until: nil) }
        let free = self.entries.filter { _, entry in
            let count = running.count { $0.host == entry.host }
            return count < max(1, self.configuration.maximumRunningCountPerHost)
        }
        let first = free.filter { self.mayStart($0.value, now) }.min { self.rank($0) < self.rank($1) }
        if let first { return .start(first.key) }
        return isOver ? .idle : .wait(until: free.values.compactMap(\.endOfDelay).min())
    }

    private func mayStart(_ entry: Entry, _ now: ClockInstant) -> Bool {
        switch entry.phase {
        case .waiting: true
        case .delayed(let instant, let isForNetwork): instant <= now || isForNetwork && self.outage != nil
        default: false
        }
    }

    private func rank(_ transfer: (key: TransferID, value: Entry)) -> (Int, Int, TransferID) {
        let failureCount = self.outage == nil ? 0 : transfer.value.failureCount
        return (failureCount, -transfer.value.priority.rawValue, transfer.key)
    }
}

extension TransferSchedule.Entry {
    fileprivate var endOfDelay: ClockInstant? {
        if case .delayed(let instant, _) = self.phase { instant } else { nil }
    }
}
