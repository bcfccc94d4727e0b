// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// The workers of a download, each of which requests and receives bytes of one representation.
///
/// One worker alone leaves when the file must be prepared for the response, or when the response is over. Of several, among which
/// the missing bytes are divided, each leaves when no range is left.
package struct DownloadWorkers: Sendable {
    /// The maximum number of ranges that a download requests at the same time.
    ///
    /// Beyond it, a larger number counts as this one. The program aria2 opens as many connections to one server.
    package static let maximumCount = 16

    struct Exchange: Sendable {
        let request: PartRequest
        /// `nil` if the request is about to be sent, or its response has not begun.
        fileprivate(set) var reception: Reception?
        /// See ``DownloadAttempts/fail(since:)``.
        let failedAttemptCount: Int

        fileprivate var claim: Range<Int64> {
            let start = self.reception?.offset ?? self.request.first ?? 0
            return start..<max(start, self.request.end ?? self.reception?.end ?? start)
        }
    }

    /// The reason for which all workers leave, which decides about the next step.
    enum Ending: Sendable {
        case response(DownloadDecision, to: PartRequest, at: HTTPDate)
        case finish
        /// An undivided download needs another request, because the response is over or the request failed.
        case request(after: Duration)
        case restart(RestartReason)
        case stop(DownloadFailure)
        /// A body was damaged, so no later call can use the file.
        case remove
        case fileFailed

        fileprivate var isRemoval: Bool { if case .remove = self { true } else { false } }
    }

    let isDivided: Bool
    private(set) var ending: Ending?
    private(set) var endingNumber: Int?

    private var exchanges: [Int: Exchange] = [:]
    private var startedCount = 0

    init() { self.isDivided = false }

    init(sending request: PartRequest, _ attempts: DownloadAttempts) {
        self.isDivided = false
        _ = self.add(sending: request, attempts)
    }

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

    var count: Int { self.exchanges.count }

    var receivingCount: Int { self.exchanges.values.count { $0.reception != nil } }

    /// The bytes that the workers have requested; some of them may be in the file.
    var claims: [Range<Int64>] { self.exchanges.values.map(\.claim) }

    func othersReceive(besides number: Int) -> Bool {
        self.exchanges.contains { $0.key != number && $0.value.reception != nil }
    }

    // MARK: One worker

    /// Returns `nil` if the worker has left, or if all workers must leave.
    func exchange(of number: Int) -> Exchange? { self.ending == nil ? self.exchanges[number] : nil }

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

    /// Makes a worker leave, and with a reason all others; the first reason counts, unless a body was damaged: its bytes are in the
    /// file.
    mutating func leave(_ number: Int, _ reason: Ending? = nil) {
        self.exchanges[number] = nil
        guard let reason, self.ending == nil || reason.isRemoval else { return }
        self.ending = reason
        self.endingNumber = number
    }
}

/// The lengths of the ranges that a download with several requests asks for: shares of what is missing, long at first to save
/// round trips, and shorter towards the end, when all workers wait for the slowest (guided self-scheduling, Polychronopoulos and
/// Kuck 1987).
package struct PieceLength: Hashable, Sendable {
    /// The last range before bytes that are in the file may be shorter.
    package let minimum: Int64
    package let maximum: Int64

    /// Defaults to at least 1 MiB, which takes several round trips on most lines, and at most 16 MiB.
    package init(minimum: Int64 = 1 << 20, maximum: Int64 = 16 << 20) {
        self.minimum = max(1, minimum)
        self.maximum = max(self.minimum, maximum)
    }

    /// Returns the beginning of the first of the ascending `gaps`, which may be shorter than the minimum.
    func next(in gaps: [Range<Int64>], for workerCount: Int) -> Range<Int64>? {
        guard let first = gaps.first else { return nil }
        let missingByteCount = gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        // Half of an equal share, so that the next ranges are shorter.
        let byteCount = min(max(missingByteCount / Int64(2 * workerCount), self.minimum), self.maximum)
        return first.lowerBound..<min(first.lowerBound + byteCount, first.upperBound)
    }
}
