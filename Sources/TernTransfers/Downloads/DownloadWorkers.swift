// SPDX-License-Identifier: Apache-2.0
import TernRequests

/// The workers of a download that receive several ranges of one representation at the same time.
package struct DownloadWorkers: Sendable {
    /// The maximum number of workers: 16, as many connections as aria2 opens to one server at most.
    package static let maximumCount = 16

    /// A worker, which requests and receives one range after the other.
    struct Worker: Sendable {
        /// The exchange of a worker.
        enum Work: Sendable {
            /// The request is about to be sent, or its response has not begun.
            case requesting(PartRequest)
            /// The worker writes the body of the response.
            case receiving(Reception, DownloadStateMachine.BodyPosition)
        }

        var work: Work
        /// The number of the call's failed attempts when the exchange began.
        ///
        /// If a line breaks, all its exchanges fail, and this counts as one failed attempt. So a failure counts only if
        /// no other has counted since its exchange began.
        var failedAttemptCount: Int

        var isReceiving: Bool { if case .receiving = self.work { true } else { false } }

        /// The bytes that only this worker requests.
        var claim: Range<Int64> {
            switch self.work {
            case .requesting(let request): Self.range(request.first ?? 0, request.end)
            case .receiving(let reception, let position):
                Self.range(position.offset, position.requestedEnd ?? reception.end)
            }
        }

        private static func range(_ start: Int64, _ end: Int64?) -> Range<Int64> { start..<max(start, end ?? start) }
    }

    /// The step that follows when all workers have left before the file is complete.
    enum Ending: Sendable {
        /// One worker's response is the whole representation, whose body the driver has kept.
        case whole(Representation, because: RestartReason?, now: HTTPDate)
        case restart(RestartReason)
        case stop(DownloadFailure)
        /// A body was damaged, so no later call can use the file.
        case remove
        /// A file could not be written or synchronized.
        case fileFailed
    }

    /// The workers that have not left, by their numbers.
    var all: [Int: Worker] = [:]
    /// The number of workers that have begun.
    var startedCount = 0
    /// The step that follows when all workers have left; `nil` while they have work.
    var ending: Ending?

    /// The bytes that the workers have requested and not yet received.
    var claims: [Range<Int64>] { self.all.values.map(\.claim) }

    /// Returns whether another worker is receiving a body, so that the call can go on without this one.
    func areOthersReceiving(than number: Int) -> Bool {
        self.all.contains { $0.key != number && $0.value.isReceiving }
    }

    mutating func add(_ work: Worker.Work, _ failedAttemptCount: Int) -> Int {
        let number = self.startedCount
        self.startedCount += 1
        self.all[number] = Worker(work: work, failedAttemptCount: failedAttemptCount)
        return number
    }
}

/// The next action of one worker of a download.
package enum WorkerStep: Hashable, Sendable {
    /// Wait this long, then send the request. Discard the body of the previous response, if any.
    case send(PartRequest, after: Duration)
    /// Write the body of the response to the partial file.
    case receive(Reception)
    /// The worker has left, and reports nothing more.
    case leave
}
