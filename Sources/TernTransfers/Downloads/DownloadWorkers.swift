// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// The workers of a download, each of which requests and receives bytes of one representation.
///
/// Most downloads have one worker at a time: it sends one request, and leaves when the file must be prepared for the
/// response, or when the response is over. If the missing bytes are divided, several workers request one range after
/// the other, and leave when no range is left.
package struct DownloadWorkers: Sendable {
    /// The maximum number of workers: 16, as many connections as aria2 opens to one server at most.
    package static let maximumCount = 16

    /// The exchange of a worker.
    struct Exchange: Sendable {
        /// The request.
        let request: PartRequest
        /// The body that the worker writes; `nil` if the request is about to be sent, or its response has not begun.
        fileprivate(set) var reception: Reception?
        /// The number of the call's failed attempts when the exchange began; see ``DownloadAttempts/fail(since:)``.
        let failedAttemptCount: Int

        /// The bytes that no other worker requests.
        fileprivate var claim: Range<Int64> {
            let start = self.reception?.offset ?? self.request.first ?? 0
            return start..<max(start, self.request.end ?? self.reception?.end ?? start)
        }
    }

    /// The reason for which all workers leave, which decides about the next step.
    enum Ending: Sendable {
        /// One worker has got this response, whose body the driver has kept.
        case response(DownloadDecision, to: PartRequest, at: HTTPDate)
        /// All bytes are in the file.
        case finish
        /// The response of the one worker is over, and bytes are missing.
        case request(after: Duration)
        case restart(RestartReason)
        case stop(DownloadFailure)
        /// A body was damaged, so no later call can use the file.
        case remove
        /// A file could not be written or synchronized.
        case fileFailed

        fileprivate var isRemoval: Bool { if case .remove = self { true } else { false } }
    }

    /// Whether the missing bytes are divided among several workers.
    let isDivided: Bool
    /// The reason for which all workers leave; `nil` while they have work.
    private(set) var ending: Ending?
    /// The number of the worker that has given this reason.
    private(set) var endingNumber: Int?

    /// The exchanges of the workers that have not left, by the numbers of the workers.
    private var exchanges: [Int: Exchange] = [:]
    /// The number of workers that have begun.
    private var startedCount = 0

    /// Creates a group without workers.
    init() { self.isDivided = false }

    /// Creates a group of one worker, which sends a request.
    init(sending request: PartRequest, _ attempts: DownloadAttempts) {
        self.isDivided = false
        _ = self.add(sending: request, attempts)
    }

    /// Creates a group whose first worker receives a body.
    init(
        receiving reception: Reception,
        of request: PartRequest,
        _ attempts: DownloadAttempts,
        isDivided: Bool
    ) {
        self.isDivided = isDivided
        let number = self.add(sending: request, attempts)
        self.receive(reception, by: number)
    }

    // MARK: All workers

    /// The number of workers that have not left.
    var count: Int { self.exchanges.count }

    /// The number of workers that are receiving a body.
    var receivingCount: Int { self.exchanges.values.count { $0.reception != nil } }

    /// The bytes that the workers have requested; some of them may be in the file.
    var claims: [Range<Int64>] { self.exchanges.values.map(\.claim) }

    /// Returns whether another worker is receiving a body, so that the call can go on without this one.
    func othersReceive(besides number: Int) -> Bool {
        self.exchanges.contains { $0.key != number && $0.value.reception != nil }
    }

    // MARK: One worker

    /// Returns the exchange of a worker; `nil` if the worker has left, or if all workers must leave.
    func exchange(of number: Int) -> Exchange? { self.ending == nil ? self.exchanges[number] : nil }

    /// Adds a worker, and returns its number.
    mutating func add(sending request: PartRequest, _ attempts: DownloadAttempts) -> Int {
        let number = self.startedCount
        self.startedCount += 1
        self.send(request, attempts, by: number)
        return number
    }

    mutating func send(_ request: PartRequest, _ attempts: DownloadAttempts, by number: Int) {
        self.exchanges[number] = Exchange(request: request, failedAttemptCount: attempts.failedCount)
    }

    mutating func receive(_ reception: Reception, by number: Int) { self.exchanges[number]?.reception = reception }

    /// Makes a worker leave, and with a reason all others, too.
    ///
    /// The first reason counts. But a damaged body counts whatever the reason was, because its bytes are in the file.
    mutating func leave(_ number: Int, _ reason: Ending? = nil) {
        self.exchanges[number] = nil
        guard let reason, self.ending == nil || reason.isRemoval else { return }
        self.ending = reason
        self.endingNumber = number
    }
}

/// The lengths of the ranges that a download with several requests asks for.
///
/// A long range costs fewer requests, and each request costs a round trip. But at the end of a download, all workers
/// but one wait for the slowest. So a range is a share of what is missing: long at first, and shorter towards the end
/// (guided self-scheduling, Polychronopoulos and Kuck 1987).
package struct PieceLength: Hashable, Sendable {
    /// The minimum number of bytes of a range; the last one before bytes that are in the file may be shorter.
    package let minimum: Int64
    /// The maximum number of bytes of a range.
    package let maximum: Int64

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - minimum: The minimum number of bytes, at least 1. Defaults to 1 MiB, which takes several round trips on most
    ///     lines.
    ///   - maximum: The maximum number of bytes, at least `minimum`. Defaults to 16 MiB.
    package init(minimum: Int64 = 1 << 20, maximum: Int64 = 16 << 20) {
        self.minimum = max(1, minimum)
        self.maximum = max(self.minimum, maximum)
    }

    /// Returns the next range to request.
    ///
    /// A range never goes beyond its gap, so it may be shorter than the minimum.
    ///
    /// - Parameters:
    ///   - gaps: The ranges that are missing and that no worker has requested, in ascending order.
    ///   - workerCount: The number of workers.
    /// - Returns: The beginning of the first gap; `nil` if there is none.
    func next(in gaps: [Range<Int64>], for workerCount: Int) -> Range<Int64>? {
        guard let first = gaps.first else { return nil }
        let missingByteCount = gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        // Half of an equal share, so that the next ranges are shorter.
        let byteCount = min(max(missingByteCount / Int64(2 * workerCount), self.minimum), self.maximum)
        return first.lowerBound..<min(first.lowerBound + byteCount, first.upperBound)
    }
}
