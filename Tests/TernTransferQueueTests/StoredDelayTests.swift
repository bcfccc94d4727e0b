// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections
import TernFoundation
import TernRequests
@testable import TernTransferQueue
import Testing

@Suite("A stored delay, and a clock that is set")
struct StoredDelayTests {
    /// The date at which a delay of 90 seconds began.
    private static let beginning: Int64 = 1_800_000_000
    private static let now = ClockInstant(nanoseconds: 5_000_000_000)

    private static func book(_ phase: StoredTransfer.Phase, at seconds: Int64) -> TransferBook {
        var transfer = StoredTransfer(ScheduleScene.id(1), QueueSamples.download)
        transfer.phase = phase
        var book = TransferBook(
            StoredTransfers(),
            TransferQueueConfiguration(),
            now: Self.now,
            date: HTTPDate(secondsSince1970: seconds)
        )
        book.insert(transfer, now: Self.now, date: HTTPDate(secondsSince1970: seconds))
        return book
    }

    private static func delay(_ secondCount: Int64?) -> StoredTransfer.Phase {
        .delayed(until: HTTPDate(secondsSince1970: beginning + 90), secondCount: secondCount)
    }

    @Test(
        arguments: [
            (90, 0, 90), (90, 30, 60), (90, 90, 0), (90, 3600, 0), (90, -3600, 90), (90, -1_800_000_000, 90),
            (0, -3600, 0), (nil, 30, 60), (nil, -30, 120), (.max, -30, 120),
        ] as [(Int64?, Int64, Int64)]
    )
    func `a delay is not longer than it was`(_ stored: Int64?, _ elapsed: Int64, _ rest: Int64) throws {
        let date = Self.beginning + elapsed
        let book = Self.book(Self.delay(stored), at: date)
        let end = Self.now.advanced(by: .seconds(rest))
        #expect(book.schedule.entries[ScheduleScene.id(1)]?.phase == .delayed(until: end, isForNetwork: false))
        let shown = elapsed >= 90 ? Self.beginning + 90 : date + rest
        let state = try #require(book.transfer(ScheduleScene.id(1))?.state)
        #expect(state == .delayed(until: Date(timeIntervalSince1970: Double(shown))))
    }

    @Test(arguments: [Int64.min, .max])
    func `dates of any size are bounded`(_ seconds: Int64) {
        for phase in [Self.delay(nil), .delayed(until: HTTPDate(secondsSince1970: .max), secondCount: .max)] {
            let book = Self.book(phase, at: seconds)
            guard case .delayed(let end, _)? = book.schedule.entries[ScheduleScene.id(1)]?.phase else {
                return #expect(Bool(false))
            }
            let configuration = TransferQueueConfiguration()
            #expect(Self.now.duration(to: end) <= configuration.maximumRetryAfter + configuration.backoff.maximumDelay)
        }
    }

    @Test func `the length of a delay is stored with its end`() {
        var book = Self.book(.waiting, at: Self.beginning)
        guard case .start(let id) = book.nextStep(now: Self.now) else { return #expect(Bool(false)) }
        let result = AttemptResult(
            status: 503,
            [.retryAfter: "90"],
            now: HTTPDate(secondsSince1970: Self.beginning),
            nil
        )
        guard
            case .store(let stored) = book.end(
                id,
                result,
                now: Self.now,
                date: HTTPDate(secondsSince1970: Self.beginning)
            ), case .delayed(let end, let secondCount?) = stored.phase
        else { return #expect(Bool(false)) }
        #expect(secondCount >= 90)
        #expect(end.secondsSince1970 == Self.beginning + secondCount)
    }
}
