// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests
import TernRetry

extension TransferSchedule {
    // MARK: While a transfer runs

    mutating func transferred(_ id: TransferID, byteCount: Int64) {
        guard let entry = self.entries[id], entry.isRunning else { return }
        if byteCount < entry.progressMark {
            // The transfer has begun again, so the bytes so far were lost.
            self.update(id) { $0.progressMark = byteCount }
        } else if byteCount - entry.progressMark >= Self.progressByteCount {
            self.update(id) { entry in
                (entry.progressMark, entry.hasProgressed) = (byteCount, true)
                guard byteCount - entry.furthestByteCount >= Self.progressByteCount else { return }
                entry.furthestByteCount = byteCount
                (entry.failedAttemptCount, entry.failureCount) = (0, 0)
            }
        }
        self.answered(from: entry.host)
    }

    mutating func ended(
        _ id: TransferID,
        _ end: AttemptEnd,
        now: ClockInstant,
        using generator: inout some RandomNumberGenerator
    ) {
        guard let entry = self.entries[id], entry.isRunning else { return }
        let wasProbe = self.outage?.probe == id
        if wasProbe { self.outage?.probe = nil }
        if end.isAnswered { self.answered(from: entry.host) }
        let isStable = entry.startInstant.duration(to: now) >= AttemptCount.stableDuration
        if entry.hasProgressed, isStable { self.update(id) { ($0.failedAttemptCount, $0.failureCount) = (0, 0) } }
        if case .stopping(.removing) = entry.phase {
            self.update(id) { $0.phase = .removing }
            return
        }
        switch end {
        case .completed: self.update(id) { $0.phase = .completed }
        case .interrupted: self.settle(id, .waiting)
        case .failed: self.update(id) { $0.phase = .failed }
        case .unreachable:
            let delay = self.delay(of: id, self.configuration.probeBackoff, using: &generator)
            self.settle(id, .delayed(until: now.advanced(by: delay), isForNetwork: true))
            self.beginOutage(entry, now: now, using: &generator)
        case .notStored:
            let delay = self.delay(of: id, self.configuration.backoff, using: &generator)
            self.settle(id, .delayed(until: now.advanced(by: delay), isForNetwork: false))
        case .passing(let retryAfter, _):
            // The server may have started the count again, and with it the shortest pauses.
            let minimum = entry.hasProgressed && !isStable ? self.minimumPause : .zero
            self.attemptFailed(id, retryAfter, minimum, now: now, using: &generator)
        }
        if wasProbe, end != .interrupted { self.probeFailed(now: now, using: &generator) }
    }

    /// Gives a transfer that has stopped the state that it was told to get, or else `phase`.
    private mutating func settle(_ id: TransferID, _ phase: Phase) {
        self.update(id) { entry in
            switch entry.phase {
            case .stopping(.paused): entry.phase = .paused
            case .stopping(.waiting): entry.phase = .waiting
            default: entry.phase = phase
            }
        }
    }

    private mutating func attemptFailed(
        _ id: TransferID,
        _ retryAfter: Duration?,
        _ minimum: Duration,
        now: ClockInstant,
        using generator: inout some RandomNumberGenerator
    ) {
        self.update(id) { $0.failedAttemptCount += 1 }
        let count = self.entries[id]?.failedAttemptCount ?? 0
        guard count < max(1, self.configuration.maximumAttemptCount),
            retryAfter ?? .zero <= self.configuration.maximumRetryAfter
        else {
            self.update(id) { $0.phase = .failed }
            return
        }
        // Add the random backoff, because many clients may have received the same `Retry-After`.
        let backoff = self.delay(of: id, self.configuration.backoff, using: &generator)
        let delay = backoff + max(retryAfter ?? .zero, minimum)
        self.settle(id, .delayed(until: now.advanced(by: delay), isForNetwork: false))
    }

    /// The pause after a short attempt that has started the count again, without the backoff.
    private var minimumPause: Duration {
        min(AttemptCount.minimumPause, max(.zero, self.configuration.backoff.initialDelay))
    }

    private mutating func delay(
        of id: TransferID,
        _ backoff: Backoff,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        self.update(id) { $0.failureCount += 1 }
        return backoff.delay(before: self.entries[id]?.failureCount ?? 1, using: &generator)
    }

    // MARK: The network

    private mutating func answered(from host: Origin) {
        self.signCount += 1
        guard let outage = self.outage else { return }
        self.outage = nil
        // If no transfer of another host has failed, the network was there all the time.
        let isOfOneHost = outage.hosts.count == 1 && !outage.hosts.contains(host)
        self.release(except: isOfOneHost ? outage.hosts : [])
    }

    /// Lets the transfers start that wait for the network, except those of some hosts; returns them.
    @discardableResult
    private mutating func release(except hosts: Set<Origin>) -> [TransferID] {
        let released = self.index.waitingForNetwork.filter { id in
            self.entries[id].map { !hosts.contains($0.host) } ?? false
        }
        for id in released {
            self.update(id) { entry in
                entry.phase = .waiting
                entry.failureCount = 0
            }
        }
        return Array(released)
    }

    private mutating func beginOutage(
        _ entry: Entry,
        now: ClockInstant,
        using generator: inout some RandomNumberGenerator
    ) {
        if self.outage != nil {
            self.outage?.hosts.insert(entry.host)
        } else if entry.startSignCount == self.signCount {
            let pause = self.configuration.probeBackoff.delay(before: 1, using: &generator)
            self.outage = Outage(nextProbe: now.advanced(by: pause), hosts: [entry.host])
        }
        // Otherwise another transfer has reached the network since this one began: only this host was not reached.
    }

    private mutating func probeFailed(now: ClockInstant, using generator: inout some RandomNumberGenerator) {
        guard var outage = self.outage else { return }
        outage.failedProbeCount += 1
        let pause = self.configuration.probeBackoff.delay(before: outage.failedProbeCount + 1, using: &generator)
        outage.nextProbe = now.advanced(by: pause)
        self.outage = outage
    }

    @discardableResult
    mutating func networkChanged() -> [TransferID] {
        self.outage = nil
        return self.release(except: [])
    }
}
