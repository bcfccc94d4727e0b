// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernTransfers
import TernTransport

/// A durable download whose workers run in several tasks.
///
/// Each event of a worker changes the download under a lock. So the machine sees the events one after the other, and
/// the progress that is reported does not go back.
final class SharedDownload: Sendable {
    private let state: Mutex<DurableDownload>

    init(_ download: DurableDownload) { self.state = Mutex(download) }

    /// The download after the events so far.
    var download: DurableDownload { self.state.withLock { $0 } }

    /// Whether all workers must leave.
    var isEnding: Bool { self.state.withLock { $0.machine.isEnding } }

    /// The length of the complete file.
    var completeByteCount: Int64? { self.state.withLock { $0.machine.progress.totalByteCount } }

    /// Adds a worker; see ``DownloadStateMachine/addWorker()``.
    func addWorker() -> (number: Int, step: WorkerStep)? { self.state.withLock { $0.machine.addWorker() } }

    /// Returns the call with the number of a new attempt, which the delegates are told about.
    func beginAttempt() -> HTTPCall {
        self.state.withLock { download in
            download.call.beginNextAttempt()
            return download.call
        }
    }

    /// Records an event of a worker.
    ///
    /// If the event ends the work of all workers, the download keeps the response and the error of this worker.
    ///
    /// - Parameters:
    ///   - reply: The response of the worker, if it has one.
    ///   - error: The error of the event. Defaults to `nil`.
    ///   - event: Tells the machine, and returns the next step of the worker.
    /// - Returns: The result of `event`, and whether the download has kept the response.
    func record<Step>(
        _ reply: HTTPReply?,
        _ error: ClientError?,
        _ event: (inout DurableDownload) -> Step
    ) -> (step: Step, keepsReply: Bool) {
        self.state.withLock { download in
            let wasEnding = download.machine.isEnding
            let step = event(&download)
            guard !wasEnding, download.machine.isEnding else { return (step, false) }
            download.reply = reply
            download.failure = error ?? download.failure
            download.cause = error.map { .failure($0) } ?? reply.map { .response($0.response) }
            return (step, true)
        }
    }

    /// Records that a piece was queued to be written.
    func wrote(byteCount: Int, by number: Int) throws(FileWriter.Failure) {
        try self.state.withLock { download throws(FileWriter.Failure) in
            try download.wrotePiece { $0.wrote(byteCount: byteCount, by: number, isDue: $1) }
        }
    }
}
