// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests

/// The transfers of a schedule by their states, priorities and hosts, so that no event has to look at all of them.
struct ScheduleIndex: Sendable {
    /// The place of a transfer among those that may start: the lowest starts first.
    struct Rank: Hashable, Comparable, Sendable {
        /// The number of failures, if it counts; otherwise 0.
        let failureCount: Int
        let priority: TransferPriority
        let id: TransferID

        static func < (rank: Rank, other: Rank) -> Bool {
            (rank.failureCount, -rank.priority.rawValue, rank.id)
                < (other.failureCount, -other.priority.rawValue, other.id)
        }
    }

    /// The transfers that are running, those that were told to stop included.
    private(set) var running: Set<TransferID> = []
    /// The transfers whose last attempt did not reach the network.
    private(set) var waitingForNetwork: Set<TransferID> = []

    private let maximumRunningCountPerHost: Int
    private var runningCounts: [Origin: Int] = [:]
    /// The transfers that may start while the network is there: those that wait, and those whose delay is over.
    private var ready = HostRanking<Rank>()
    /// The transfers that may try the network while it is gone: the same, and those that have failed to reach it.
    private var probes = HostRanking<Rank>()
    /// The transfers whose delay is not over.
    private var delayed = HostRanking<ClockInstant>()

    init(maximumRunningCountPerHost: Int) { self.maximumRunningCountPerHost = maximumRunningCountPerHost }

    /// Whether a transfer starts by itself, now or later.
    var canGoOn: Bool { self.ready.count + self.delayed.count > 0 }

    /// The instant at which the first delay ends of a transfer whose host is not busy; `nil` if there is none.
    var earliestEndOfDelay: ClockInstant? { self.delayed.first?.rank }

    /// The number of transfers and hosts that were inspected so far, for tests of its bound.
    var inspectionCount: Int {
        self.ready.inspectionCount + self.probes.inspectionCount + self.delayed.inspectionCount
    }

    /// Returns the transfer that starts next, if a place is free; `nil` if there is none.
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

    /// Records that a transfer has changed.
    mutating func replace(_ id: TransferID, _ old: TransferSchedule.Entry, _ new: TransferSchedule.Entry) {
        if old.isRunning, new.isRunning { return }
        guard old.phase != new.phase || old.priority != new.priority || old.failureCount != new.failureCount else {
            return
        }
        self.remove(id, old)
        self.insert(id, new)
    }

    /// Makes the transfers ready whose delay is over.
    ///
    /// Those of busy hosts follow when their hosts are not busy any more.
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
