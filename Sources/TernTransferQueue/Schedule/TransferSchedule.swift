// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests

/// Decides which transfer of a queue starts next, and when.
///
/// The schedule is a value without files, a network, a clock or randomness: the caller passes the time and a generator.
///
/// A transfer that is waiting, or whose delay is over, may start. The highest priority comes first, then the lowest
/// number, unless the host has its maximum of running transfers. So a host that is busy holds up only its own transfers.
///
/// **The network.** If an attempt fails before anything has answered, the network may be gone, or only this host. The
/// network counts as gone (``Outage``) unless another transfer has received bytes since that attempt began. During an
/// outage, one transfer at a time probes the network, and the one with the fewest failures comes first, so that one
/// silent host cannot stand for the network. The first transfer that gets an answer ends the outage. Then all that
/// failed in it may start at once, except those of a host that was the only one to fail.
///
/// **The cost.** A ``ScheduleIndex`` keeps the transfers in order. So an event costs a few steps for each transfer whose
/// state it changes, and not for each transfer in the queue.
struct TransferSchedule: Sendable {
    /// The number of new bytes after which the count of attempts starts again: 1 MiB, as in `ResumptionPolicy`.
    ///
    /// Bytes are new if no attempt has transferred them before. After a transfer has begun again, old bytes start the
    /// count only if the attempt lasted for `AttemptCount.stableDuration`. Otherwise, a server that changes its file
    /// after each mebibyte would make the queue connect without end.
    static let progressByteCount: Int64 = 1 << 20

    /// The state of a transfer in the schedule.
    enum Phase: Hashable, Sendable {
        case waiting
        /// The next attempt begins at this instant.
        ///
        /// - `isForNetwork`: Whether the last attempt did not reach the network.
        case delayed(until: ClockInstant, isForNetwork: Bool)
        case running
        /// The transfer is running and was told to stop; then it gets the state.
        case stopping(Rest)
        case paused
        case completed
        case failed
        /// The transfer has stopped, and is being removed.
        case removing
    }

    /// The state that a transfer gets when it has stopped.
    enum Rest: Hashable, Sendable {
        case waiting
        case paused
        case removing
    }

    /// A transfer in the schedule.
    struct Entry: Hashable, Sendable {
        let host: Origin
        var priority: TransferPriority
        var phase: Phase
        /// The number of attempts that have failed since the last progress, without those that do not count.
        var failedAttemptCount = 0
        /// The number of all failures since the last progress, for the delay.
        var failureCount = 0
        /// The number of bytes at the last progress, or at the beginning of the file if the transfer has begun again.
        var progressMark: Int64 = 0
        /// The highest number of bytes that has started the count of attempts again.
        var furthestByteCount: Int64 = 0
        /// The instant at which the last attempt began.
        var startInstant = ClockInstant(nanoseconds: 0)
        /// Whether the last attempt has transferred at least ``TransferSchedule/progressByteCount``.
        var hasProgressed = false
        /// The number of signs of the network when the transfer started; see ``TransferSchedule/signCount``.
        var startSignCount = 0

        var isRunning: Bool {
            switch self.phase {
            case .running, .stopping: true
            default: false
            }
        }
    }

    /// The time during which the network is gone.
    struct Outage: Hashable, Sendable {
        /// The transfer that tries whether the network is back; `nil` if none does.
        var probe: TransferID?
        /// The instant at which the next probe may start.
        var nextProbe: ClockInstant
        /// The number of probes that have failed.
        var failedProbeCount = 0
        /// The hosts whose transfers have failed.
        var hosts: Set<Origin>
    }

    /// The next action of the driver.
    enum Step: Hashable, Sendable {
        /// Start this transfer, which now counts as running.
        case start(TransferID)
        /// Nothing can start before this instant, or before another event if it is `nil`.
        case wait(until: ClockInstant?)
        /// Nothing is running, and nothing will go on by itself.
        case idle
    }

    let configuration: TransferQueueConfiguration
    private(set) var entries: [TransferID: Entry] = [:]
    /// Whether all transfers are paused.
    var isPaused: Bool
    /// The outage; `nil` if the network can be reached, as far as the schedule knows.
    var outage: Outage?
    /// The number of times that a transfer has received something from the network.
    var signCount = 0
    private(set) var index: ScheduleIndex

    init(_ configuration: TransferQueueConfiguration, isPaused: Bool = false) {
        self.configuration = configuration
        self.isPaused = isPaused
        self.index = ScheduleIndex(maximumRunningCountPerHost: max(1, configuration.maximumRunningCountPerHost))
    }

    // MARK: Entries

    /// Adds a transfer.
    ///
    /// - Parameters:
    ///   - id: The identifier, which is not in use.
    ///   - entry: The transfer, which is not running.
    mutating func add(_ id: TransferID, _ entry: Entry) {
        self.entries[id] = entry
        self.index.insert(id, entry)
    }

    /// Forgets a transfer that is not running.
    mutating func forget(_ id: TransferID) {
        if let entry = self.entries.removeValue(forKey: id) { self.index.remove(id, entry) }
    }

    /// Changes the priority of a transfer.
    mutating func setPriority(_ priority: TransferPriority, of id: TransferID) {
        self.update(id) { $0.priority = priority }
    }

    /// Changes a transfer, and keeps the order of all.
    mutating func update(_ id: TransferID, _ change: (inout Entry) -> Void) {
        guard let old = self.entries[id] else { return }
        var entry = old
        change(&entry)
        self.entries[id] = entry
        self.index.replace(id, old, entry)
    }

    // MARK: Starting

    /// Returns the next action.
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

    /// Returns the step while nothing can start.
    private func rest(until instant: ClockInstant?) -> Step {
        self.index.running.isEmpty && !self.index.canGoOn ? .idle : .wait(until: instant)
    }

    private var hasFreePlace: Bool { self.index.running.count < max(1, self.configuration.maximumRunningCount) }

    /// The transfer that starts next; `nil` if none can.
    private var candidate: TransferID? {
        self.hasFreePlace ? self.index.first(isOutage: self.outage != nil) : nil
    }

    /// The instant at which the first delay ends; `nil` if no place is free for a transfer, or none is delayed.
    private var earliestStart: ClockInstant? { self.hasFreePlace ? self.index.earliestEndOfDelay : nil }
}
