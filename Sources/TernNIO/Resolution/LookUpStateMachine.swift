// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// Tracks which host names are looked up, which wait for a thread, and which calls wait for a name.
///
/// A look-up blocks its thread, so calls for one name share one look-up. A name server that never answers must not stop the
/// look-ups of other names:
///
/// - A look-up that has lasted a second counts only against ``maximumThreadCount``, no longer against ``threadCount``.
/// - The names of one ``NameGroup`` get at most half of the threads, by each of the two limits.
/// - If look-ups that no call waits for use half of ``maximumThreadCount``, the other half is for names that were answered before.
/// - Names that were answered before go first. Otherwise, the groups take turns.
struct LookUpStateMachine: Sendable {
    struct Waiter: Hashable, Sendable {
        fileprivate var name: String
        fileprivate var number: Int
    }

    struct Effects: Equatable, Sendable {
        var starts: [String] = []
        /// The instant for which to set the timer; `nil` leaves the timer as it is.
        var timer: ClockInstant?
    }

    private struct LookUp {
        /// Distinguishes this look-up from an earlier one for the same name.
        var number: Int
        var group: NameGroup
        /// `nil` while the look-up waits for a thread.
        var start: ClockInstant?
        /// The numbers of the waiting calls; only a running look-up may have none.
        var waiters: Set<Int>
    }

    private struct Turn {
        var name: String
        var number: Int
    }

    private struct Load {
        var count = 0
        /// The number of look-ups that have not lasted long.
        var recentCount = 0
        /// The number of look-ups that no call waits for.
        var unwantedCount = 0

        mutating func add(_ other: Load) {
            self.count += other.count
            self.recentCount += other.recentCount
            self.unwantedCount += other.unwantedCount
        }
    }

    static let recentDuration = Duration.seconds(1)
    /// The number of entries without waiting calls that may stay even in a short queue.
    private static let toleratedTurnCount = 32

    private var lookUps: [String: LookUp] = [:]
    private var running: Set<String> = []
    /// The waiting names that were answered before, and unwanted entries until their turn or ``sweep()``.
    private var answeredQueue = RotatingQueue<NameGroup, Turn>()
    private var queue = RotatingQueue<NameGroup, Turn>()
    private var answeredNames = AnsweredNames()
    private var lastNumber = 0
    private(set) var armedInstant: ClockInstant?
    private let threadCount: Int
    private let maximumThreadCount: Int

    init(threadCount: Int, maximumThreadCount: Int) {
        self.threadCount = max(1, threadCount)
        self.maximumThreadCount = max(self.threadCount, maximumThreadCount)
    }

    var counts: (waiting: Int, queued: Int) {
        (self.lookUps.values.reduce(0) { $0 + $1.waiters.count }, self.queuedCount)
    }

    var runningCount: Int { self.running.count }

    /// The number of entries in the queues, including entries that no call waits for.
    var turnCount: Int { self.answeredQueue.count + self.queue.count }

    private var queuedCount: Int { self.lookUps.count - self.running.count }

    mutating func requested(
        _ name: String,
        in group: NameGroup,
        now: ClockInstant
    ) -> (waiter: Waiter, effects: Effects) {
        let waiter = Waiter(name: name, number: self.nextNumber())
        if self.lookUps[name] != nil {
            self.lookUps[name]?.waiters.insert(waiter.number)
        } else {
            let turn = Turn(name: name, number: self.nextNumber())
            self.lookUps[name] = LookUp(number: turn.number, group: group, waiters: [waiter.number])
            if self.answeredNames.contains(name) {
                self.answeredQueue.append(turn, to: group)
            } else {
                self.queue.append(turn, to: group)
            }
        }
        return (waiter, self.proceed(now: now))
    }

    mutating func abandoned(_ waiter: Waiter) {
        guard var lookUp = self.lookUps.removeValue(forKey: waiter.name) else { return }
        lookUp.waiters.remove(waiter.number)
        if lookUp.start != nil || !lookUp.waiters.isEmpty {
            self.lookUps[waiter.name] = lookUp
        } else {
            self.sweep()
        }
    }

    mutating func finished(
        _ name: String,
        isAnswered: Bool,
        now: ClockInstant
    ) -> (waiters: [Waiter], effects: Effects) {
        self.running.remove(name)
        let numbers = self.lookUps.removeValue(forKey: name)?.waiters ?? []
        self.answeredNames.record(name, isAnswered: isAnswered)
        return (numbers.map { Waiter(name: name, number: $0) }, self.proceed(now: now))
    }

    mutating func timerFired(now: ClockInstant) -> Effects {
        self.armedInstant = nil
        return self.proceed(now: now)
    }

    // MARK: Parts

    private mutating func proceed(now: ClockInstant) -> Effects {
        var effects = Effects()
        guard self.queuedCount > 0 else { return effects }
        var (total, groups) = self.loads(now: now)
        while let name = self.nextName(total, groups) {
            self.lookUps[name]?.start = now
            self.running.insert(name)
            effects.starts.append(name)
            guard let group = self.lookUps[name]?.group else { continue }
            let load = Load(count: 1, recentCount: 1)
            total.add(load)
            groups[group, default: Load()].add(load)
        }
        guard self.queuedCount > 0, total.recentCount > 0 else { return effects }
        let oldest = self.running.compactMap { self.lookUps[$0]?.start }.filter { !Self.isOld($0, now) }.min()
        guard let instant = oldest?.advanced(by: Self.recentDuration) else { return effects }
        if let armed = self.armedInstant, armed <= instant { return effects }
        self.armedInstant = instant
        effects.timer = instant
        return effects
    }

    /// Takes from the queues the next name that the limits allow.
    private mutating func nextName(_ total: Load, _ groups: [NameGroup: Load]) -> String? {
        guard total.recentCount < self.threadCount, total.count < self.maximumThreadCount else { return nil }
        let mayStart = { [threadCount, maximumThreadCount] (group: NameGroup) in
            guard let load = groups[group] else { return true }
            return load.recentCount < Self.half(of: threadCount) && load.count < Self.half(of: maximumThreadCount)
        }
        while let turn = self.answeredQueue.popFirst(where: mayStart) {
            if self.isDue(turn) { return turn.name }
        }
        guard total.unwantedCount < Self.half(of: self.maximumThreadCount) else { return nil }
        while let turn = self.queue.popFirst(where: mayStart) {
            if self.isDue(turn) { return turn.name }
        }
        return nil
    }

    private func loads(now: ClockInstant) -> (total: Load, groups: [NameGroup: Load]) {
        var (total, groups) = (Load(), [NameGroup: Load]())
        for name in self.running {
            guard let lookUp = self.lookUps[name], let start = lookUp.start else { continue }
            let load = Load(
                count: 1,
                recentCount: Self.isOld(start, now) ? 0 : 1,
                unwantedCount: lookUp.waiters.isEmpty ? 1 : 0
            )
            total.add(load)
            groups[lookUp.group, default: Load()].add(load)
        }
        return (total, groups)
    }

    private static func half(of count: Int) -> Int { max(1, count / 2) }

    private static func isOld(_ start: ClockInstant, _ now: ClockInstant) -> Bool {
        start.advanced(by: Self.recentDuration) <= now
    }

    /// Returns whether a name in the queue still waits for a thread.
    private func isDue(_ turn: Turn) -> Bool {
        guard let lookUp = self.lookUps[turn.name] else { return false }
        return lookUp.number == turn.number && lookUp.start == nil
    }

    /// Removes entries that no call waits for, once they make up most of a long queue.
    private mutating func sweep() {
        guard self.turnCount > 2 * self.queuedCount + Self.toleratedTurnCount else { return }
        var (answeredQueue, queue) = (self.answeredQueue, self.queue)
        answeredQueue.keep(where: self.isDue)
        queue.keep(where: self.isDue)
        (self.answeredQueue, self.queue) = (answeredQueue, queue)
    }

    private mutating func nextNumber() -> Int {
        self.lastNumber += 1
        return self.lastNumber
    }
}
