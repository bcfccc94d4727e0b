// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernRequests

/// The progress of a call: the request that it sends, and the bytes of both bodies.
///
/// It decides which progress the delegates are told.
struct CallProgress: Sendable {
    /// The source of a report.
    enum Source: Sendable {
        /// One exchange.
        case exchange
        /// The call itself, which receives the content in the responses to several requests.
        case call
    }

    /// The call as its delegates see it.
    private(set) var task: TaskInfo

    private var paces = ProgressPaces()
    /// The source whose reports about the response body the delegates want.
    private var receivingSource = Source.exchange

    init(_ task: TaskInfo) { self.task = task }

    /// Records that the client is about to send a request.
    mutating func begin(_ request: Request, attempt: Int) {
        self.task.currentRequest = request
        self.task.attempt = attempt
        (self.task.sentByteCount, self.task.receivedByteCount) = (0, 0)
        self.paces = ProgressPaces()
    }

    /// Replaces the request that is about to be sent, within the same attempt.
    mutating func replace(with request: Request) { self.task.currentRequest = request }

    /// Ignores the progress of single responses from now on, because the call reports the progress of the content.
    mutating func leaveToCall() { self.receivingSource = .call }

    /// Records progress, and returns whether to report it now.
    mutating func admits(
        _ progress: TransferProgress,
        _ direction: TaskDelegation.Direction,
        from source: Source,
        at now: ClockInstant
    ) -> Bool {
        if direction == .received, source == .exchange, self.receivingSource == .call { return false }
        direction.note(progress.byteCount, in: &self.task)
        return self.paces[direction].admits(progress, at: now)
    }

    /// Returns the latest progress that was not reported, and counts it as reported.
    mutating func takeWaiting() -> [(direction: TaskDelegation.Direction, progress: TransferProgress)] {
        TaskDelegation.Direction.allCases.compactMap { direction in
            self.paces[direction].takeWaiting().map { (direction, $0) }
        }
    }

    /// Releases the request bodies, because an open connection may retain the call's delegation for a long time.
    mutating func dropBodies() { self.task.dropBodies() }
}
