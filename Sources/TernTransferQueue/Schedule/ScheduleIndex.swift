// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests

/// The transfers of a schedule by their states, priorities and hosts, so that no event has to look at all of them.
struct ScheduleIndex: Sendable {
    struct Rank: Hashable, Comparable, Sendable {
        let failureCount: Int
        let priority: TransferPriority
        let id: TransferID

        static func < (rank: Rank, other: Rank) -> Bool {
            (rank.failureCount, -rank.priority.rawValue, rank.id)
                < (other.failureCount, -other.priority.rawValue, other.id)
        }
    }

    private(set) var running: Set<TransferID> = []
    private(set) var waitingForNetwork: Set<TransferID> = []

    private let maximumRunningCountPerHost: Int
    private var runningCounts: [Origin: Int] = [:]
    /// The transfers that may start while the network is there: those that wait, and those whose delay is over.
    private var ready = HostRanking<Rank>()
    /// The transfers that may try the network while it is gone: those that are ready, and those that have failed to reach it.
    private var probes = HostRanking<Rank>()
    private var delayed = HostRanking<ClockInstant>()

    init(maximumRunningCountPerHost: Int) { self.maximumRunningCountPerHost = maximumRunningCountPerHost }

    var canGoOn: Bool { self.ready.count + self.delayed.count > 0 }

    var earliestEndOfDelay: ClockInstant? { self.delayed.first?.rank }

    var inspectionCount: Int {
        self.ready.inspectionCount + self.probes.inspectionCount + self.delayed.inspectionCount
    }

    func first(isOutage: Bool) -> TransferID? { (isOutage ? self.probes : self.ready).first?.id }

    // MARK: Changes

    mutating func insert(_ id: TransferID, _ entry: TransferSchedule.Entry) {
        switch entry.phase {
        case .waiting: self.insertReady(id, entry)
        case .delayed(let instant, let isForNetwork):
            self.delayed.insert(id, of: entry.host, instant)
            guard isForNetwork else { break }
            // During an outage, the times of the probes count.
            self.waitingForNetwork.insert(id)
            self.probes.insert(id, of: entry.host, self.rank(id, entry, countsFailures: true))
        case .running, .stopping:
            self.running.insert(id)
            self.count(1, entry.host)
        case .paused, .completed, .failed, .removing: break
        }
    }

    mutating func remove(_ id: TransferID, _ entry: TransferSchedule.Entry) {
        switch entry.phase {
        case .waiting, .delayed:
            self.ready.remove(id, of: entry.host)
            self.probes.remove(id, of: entry.host)
            self.delayed.remove(id, of: entry.host)
            self.waitingForNetwork.remove(id)
        case .running, .stopping:
            self.running.remove(id)
            self.count(-1, entry.host)
        case .paused, .completed, .failed, .removing: break
        }
    }

    mutating func replace(_ id: TransferID, _ old: TransferSchedule.Entry, _ new: TransferSchedule.Entry) {
        if old.isRunning, new.isRunning { return }
        guard old.phase != new.phase || old.priority != new.priority || old.failureCount != new.failureCount else {
            return
        }
        self.remove(id, old)
        self.insert(id, new)
    }

    mutating func endDelays(before now: ClockInstant, _ entries: [TransferID: TransferSchedule.Entry]) {
        while let (id, end) = self.delayed.first, end <= now, let entry = entries[id] {
            self.delayed.remove(id, of: entry.host)
            self.probes.remove(id, of: entry.host)
            self.insertReady(id, entry)
        }
    }

    private mutating func insertReady(_ id: TransferID, _ entry: TransferSchedule.Entry) {
        self.ready.insert(id, of: entry.host, self.rank(id, entry, countsFailures: false))
        self.probes.insert(id, of: entry.host, self.rank(id, entry, countsFailures: true))
    }

    private func rank(_ id: TransferID, _ entry: TransferSchedule.Entry, countsFailures: Bool) -> Rank {
        Rank(failureCount: countsFailures ? entry.failureCount : 0, priority: entry.priority, id: id)
    }

    private mutating func count(_ difference: Int, _ host: Origin) {
        let count = (self.runningCounts[host] ?? 0) + difference
        self.runningCounts[host] = count > 0 ? count : nil
        let isBusy = count >= self.maximumRunningCountPerHost
        self.ready.setBusy(isBusy, host)
        self.probes.setBusy(isBusy, host)
        self.delayed.setBusy(isBusy, host)
    }
}
