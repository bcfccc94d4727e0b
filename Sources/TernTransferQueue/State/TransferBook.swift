// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernFoundation
import TernRequests

/// The transfers of a queue, their schedule, and the readers of its changes; ``QueueState`` protects it with a lock.
struct TransferBook: Sendable {
    struct Item: Sendable {
        var stored: StoredTransfer
        var progress: TransferProgress
        var failure: TransferFailure?
        var mayBeProcessed: Bool
        var isUnconfirmed = false
        var answer: ResumedUpload?
        var tellsServer = true
        var cancel: (@Sendable () -> Void)?
        var ends: [Suspension<Result<Void, TransferQueueError>>] = []
    }

    var schedule: TransferSchedule
    var items: [TransferID: Item] = [:]
    var queue: StoredQueue
    var damagedFiles: [DamagedTransferFile]
    var readers = ChangeReaders()
    var isRunning = false
    private(set) var nextNumber: Int64
    private var destinations: [String: TransferID] = [:]

    init(_ stored: StoredTransfers, _ configuration: TransferQueueConfiguration, now: ClockInstant, date: HTTPDate) {
        self.schedule = TransferSchedule(configuration, isPaused: stored.queue.isPaused)
        self.queue = stored.queue
        self.damagedFiles = stored.damagedFiles
        let numbers = stored.transfers.map(\.id.number) + stored.damagedFiles.compactMap { $0.id?.number }
        self.nextNumber = max(stored.queue.next, (numbers.max() ?? 0) + 1)
        for transfer in stored.transfers { self.insert(transfer, now: now, date: date) }
    }

    var configuration: TransferQueueConfiguration { self.schedule.configuration }

    // MARK: Items

    mutating func insert(_ stored: StoredTransfer, now: ClockInstant, date: HTTPDate) {
        var stored = stored
        let description = stored.description
        if case .delayed(let end, let secondCount?) = stored.phase {
            // Show the date at which the delay ends, also if the clock was set back.
            let last = date.advanced(by: .seconds(secondCount))
            stored.phase = .delayed(until: min(end, last), secondCount: secondCount)
        }
        guard let host = try? Destination(description.url).origin else { return }  // checked before it is stored
        var entry = TransferSchedule.Entry(
            host: host,
            priority: description.priority,
            phase: self.phase(stored.phase, now: now, date: date)
        )
        entry.failedAttemptCount = stored.failedAttemptCount
        entry.failureCount = stored.failedAttemptCount
        (entry.progressMark, entry.furthestByteCount) = (stored.byteCount, stored.byteCount)
        self.schedule.add(stored.id, entry)
        self.items[stored.id] = Item(
            stored: stored,
            progress: TransferProgress(byteCount: stored.byteCount, totalByteCount: stored.totalByteCount),
            failure: stored.failure.map { TransferFailure($0.reason, $0.message) },
            mayBeProcessed: stored.mayBeProcessed
        )
        self.nextNumber = max(self.nextNumber, stored.id.number + 1)
        self.noteDestination(stored)
        self.note(.transfer(stored.id))
    }

    private func phase(_ stored: StoredTransfer.Phase, now: ClockInstant, date: HTTPDate) -> TransferSchedule.Phase {
        switch stored {
        case .waiting: return .waiting
        case .paused: return .paused
        case .completed: return .completed
        case .failed: return .failed
        case .delayed:
            let rest = self.rest(of: stored, date: date) ?? .zero
            return .delayed(until: now.advanced(by: rest), isForNetwork: false)
        }
    }

    private func rest(of phase: StoredTransfer.Phase, date: HTTPDate) -> Duration? {
        guard case .delayed(let end, let secondCount) = phase, end > date else { return nil }
        // A person may have changed the machine's date. So the delay is never longer than it was, and never longer than
        // it can have been.
        let longest = max(self.configuration.maximumRetryAfter, .zero) + self.configuration.backoff.maximumDelay
        let (seconds, overflows) = end.secondsSince1970.subtractingReportingOverflow(date.secondsSince1970)
        let rest = overflows ? longest : min(.seconds(seconds), longest)
        return secondCount.map { min(rest, .seconds($0)) } ?? rest
    }

    mutating func remove(_ id: TransferID) {
        self.schedule.forget(id)
        if let item = self.items.removeValue(forKey: id) { self.forgetDestination(item.stored) }
        self.damagedFiles.removeAll { $0.id == id }
        self.readers.noteRemoval(id)
    }

    mutating func store(_ stored: StoredTransfer) {
        self.items[stored.id]?.stored = stored
        self.noteDestination(stored)
    }

    // MARK: Destinations

    func download(to file: URL) -> TransferID? { self.destinations[file.path] }

    private mutating func noteDestination(_ stored: StoredTransfer) {
        guard case .download = stored.description.kind else { return }
        if stored.phase == .completed {
            self.forgetDestination(stored)
        } else {
            self.destinations[stored.description.file.path] = stored.id
        }
    }

    private mutating func forgetDestination(_ stored: StoredTransfer) {
        let path = stored.description.file.path
        if self.destinations[path] == stored.id { self.destinations[path] = nil }
    }

    // MARK: Values

    func transfer(_ id: TransferID) -> QueuedTransfer? {
        guard let item = self.items[id], let entry = self.schedule.entries[id] else { return nil }
        return QueuedTransfer(
            id: id,
            description: item.stored.description,
            state: self.state(entry.phase, item),
            progress: item.progress,
            failedAttemptCount: entry.failedAttemptCount,
            failure: item.failure
        )
    }

    private func state(_ phase: TransferSchedule.Phase, _ item: Item) -> QueuedTransfer.State {
        switch phase {
        case .waiting, .stopping(.waiting), .removing: .waiting
        case .delayed:
            if case .delayed(let date, _) = item.stored.phase {
                .delayed(until: Date(timeIntervalSince1970: Double(date.secondsSince1970)))
            } else {
                .waiting
            }
        case .running, .stopping(.removing): .running
        case .paused, .stopping(.paused): .paused
        case .completed: .completed
        case .failed: .failed(item.failure?.reason ?? .other)
        }
    }

    var transfers: [QueuedTransfer] { self.items.keys.sorted().compactMap { self.transfer($0) } }

    mutating func note(_ change: ChangeReaders.Key) { self.readers.note(change) }

    mutating func updateSchedule<Value>(_ change: (inout TransferSchedule) -> Value) -> Value {
        let wasAvailable = self.schedule.outage == nil
        let value = change(&self.schedule)
        if wasAvailable != (self.schedule.outage == nil) { self.note(.network) }
        return value
    }
}
