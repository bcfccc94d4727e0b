// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernRequests
@testable import TernTransferQueue
import TestSupport

/// A schedule with a clock that the test moves.
struct ScheduleScene {
    var schedule: TransferSchedule
    var now = ClockInstant(nanoseconds: 0)
    var generator = SeededGenerator(seed: 1)

    /// Creates a schedule whose delays are not random.
    init(_ change: (inout TransferQueueConfiguration) -> Void = { _ in }) {
        var configuration = TransferQueueConfiguration(
            maximumAttemptCount: 3,
            backoff: Backoff(initialDelay: .seconds(10), maximumDelay: .seconds(40), jitter: .none),
            maximumRetryAfter: .seconds(100),
            probeBackoff: Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(4), jitter: .none)
        )
        change(&configuration)
        self.schedule = TransferSchedule(configuration)
    }

    static func id(_ number: Int64) -> TransferID {
        guard let id = TransferID(number) else { preconditionFailure("\(number) is not the number of a transfer") }
        return id
    }

    mutating func add(_ number: Int64, host: String = "a", _ priority: TransferPriority = .normal) {
        let entry = TransferSchedule.Entry(host: Self.origin(host), priority: priority, phase: .waiting)
        self.schedule.add(Self.id(number), entry)
    }

    static func origin(_ host: String) -> Origin { Origin(scheme: .http, host: host, port: 80) }

    /// Starts all that may start; returns their numbers.
    mutating func start() -> [Int64] {
        var numbers: [Int64] = []
        while case .start(let id) = self.schedule.next(now: self.now) { numbers.append(id.number) }
        return numbers
    }

    /// The next step when nothing more can start.
    mutating func rest() -> TransferSchedule.Step { self.schedule.next(now: self.now) }

    mutating func end(_ number: Int64, _ end: AttemptEnd) {
        self.schedule.ended(Self.id(number), end, now: self.now, using: &self.generator)
    }

    mutating func transferred(_ number: Int64, byteCount: Int64) {
        self.schedule.transferred(Self.id(number), byteCount: byteCount)
    }

    mutating func advance(_ duration: Duration) { self.now = self.now.advanced(by: duration) }

    func instant(after duration: Duration) -> ClockInstant { self.now.advanced(by: duration) }

    func phase(_ number: Int64) -> TransferSchedule.Phase? { self.schedule.entries[Self.id(number)]?.phase }
}

extension AttemptEnd {
    /// A failure that may pass.
    static let lost = AttemptEnd.passing(retryAfter: nil, isAnswered: false)
}
