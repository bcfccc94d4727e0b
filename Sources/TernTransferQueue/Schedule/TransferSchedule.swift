// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests

/// Decides which transfer of a queue starts next, and when.
///
/// The highest priority comes first, then the lowest number, unless the host has its maximum of running transfers. The network
/// counts as gone if an attempt does not reach it, unless a transfer has got an answer since this attempt began. Then one transfer
/// at a time probes the network, the one with the fewest failures first, until one gets an answer, or ``networkChanged()``.
struct TransferSchedule: Sendable {
    /// The number of new bytes after which the count of attempts starts again, as in `ResumptionPolicy`.
    ///
    /// After a transfer has begun again, old bytes count only after `AttemptCount.stableDuration`, so that a server that changes
    /// its file after each mebibyte does not make the queue connect without end.
    static let progressByteCount: Int64 = 1 << 20

    enum Phase: Hashable, Sendable {
        case waiting
        /// If `isForNetwork`, the last attempt was ``AttemptEnd/unreachable``.
        case delayed(until: ClockInstant, isForNetwork: Bool)
        case running
        case stopping(Rest)
        case paused
        case completed
        case failed
        case removing
    }

    enum Rest: Hashable, Sendable {
        case waiting
        case paused
        case removing
    }

    struct Entry: Hashable, Sendable {
        let host: Origin
        var priority: TransferPriority
        var phase: Phase
        /// The number of attempts that have failed since the last progress, without those that do not count.
        var failedAttemptCount = 0
        /// The number of all failures since the last progress, for the delay.
        var failureCount = 0
        var progressMark: Int64 = 0
        var furthestByteCount: Int64 = 0
        var startInstant = ClockInstant(nanoseconds: 0)
        var hasProgressed = false
        var startSignCount = 0

        var isRunning: Bool {
            switch self.phase {
            case .running, .stopping: true
            default: false
            }
        }
    }

    struct Outage: Hashable, Sendable {
        var probe: TransferID?
        var nextProbe: ClockInstant
        var failedProbeCount = 0
        var hosts: Set<Origin>
    }

    enum Step: Hashable, Sendable {
        case start(TransferID)
        /// Nothing can start before this instant or another event; `nil` if only another event counts.
        case wait(until: ClockInstant?)
        case idle
    }

    let configuration: TransferQueueConfiguration
    private(set) var entries: [TransferID: Entry] = [:]
    var isPaused: Bool
    /// `nil` if the network can be reached, as far as the schedule knows.
    var outage: Outage?
    var signCount = 0
    private(set) var index: ScheduleIndex

    init(_ configuration: TransferQueueConfiguration, isPaused: Bool = false) {
        self.configuration = configuration
        self.isPaused = isPaused
        self.index = ScheduleIndex(maximumRunningCountPerHost: max(1, configuration.maximumRunningCountPerHost))
    }

    // MARK: Entries

    mutating func add(_ id: TransferID, _ entry: Entry) {
        self.entries[id] = entry
        self.index.insert(id, entry)
    }

    mutating func forget(_ id: TransferID) {
        if let entry = self.entries.removeValue(forKey: id) { self.index.remove(id, entry) }
    }

    mutating func setPriority(_ priority: TransferPriority, of id: TransferID) {
        self.update(id) { $0.priority = priority }
    }

    mutating func update(_ id: TransferID, _ change: (inout Entry) -> Void) {
        guard let old = self.entries[id] else { return }
        var entry = old
        change(&entry)
        self.entries[id] = entry
        self.index.replace(id, old, entry)
    }

    // MARK: Starting

    mutating func next(now: ClockInstant) -> Step {
        guard !self.isPaused else { return self.index.running.isEmpty ? .idle : .wait(until: nil) }
        if let outage = self.outage, outage.probe != nil || now < outage.nextProbe {
            return self.rest(until: outage.probe == nil ? outage.nextProbe : nil)
        }
        self.index.endDelays(before: now, self.entries)
        guard let id = self.candidate else { return self.rest(until: self.earliestStart) }
        self.update(id) { [signCount = self.signCount] entry in
            entry.phase = .running
            entry.startSignCount = signCount
            (entry.startInstant, entry.hasProgressed) = (now, false)
        }
        self.outage?.probe = id
        return .start(id)
    }

    private func rest(until instant: ClockInstant?) -> Step {
        self.index.running.isEmpty && !self.index.canGoOn ? .idle : .wait(until: instant)
    }

    private var hasFreePlace: Bool { self.index.running.count < max(1, self.configuration.maximumRunningCount) }

    private var candidate: TransferID? {
        self.hasFreePlace ? self.index.first(isOutage: self.outage != nil) : nil
    }

    private var earliestStart: ClockInstant? { self.hasFreePlace ? self.index.earliestEndOfDelay : nil }
}
