// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernRequests

/// Decides which progress of a call's bodies the client reports to the delegates.
struct CallProgress: Sendable {
    enum Source: Sendable {
        case exchange
        /// The call itself, which receives the content in the responses to several requests.
        case call
    }

    private(set) var task: TaskInfo

    private var paces = ProgressPaces()
    private var receivingSource = Source.exchange

    init(_ task: TaskInfo) { self.task = task }

    mutating func begin(_ request: Request, attempt: Int) {
        self.task.currentRequest = request
        self.task.attempt = attempt
        (self.task.sentByteCount, self.task.receivedByteCount) = (0, 0)
        self.paces = ProgressPaces()
    }

    mutating func replace(with request: Request) { self.task.currentRequest = request }

    /// Ignores the progress of single responses from now on, because the call reports that of the content.
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
