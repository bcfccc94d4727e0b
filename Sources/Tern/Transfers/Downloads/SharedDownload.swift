// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernTransfers
import TernTransport

/// The state that the workers of a durable download share: the machine, the partial file, and the latest attempt.
///
/// Each event changes the machine under a lock. So the machine sees the events one after the other, and the progress
/// that is reported does not go back. A piece of a body is one event, and takes the lock once.
final class SharedDownload: Sendable {
    private struct State {
        var machine: DownloadStateMachine
        var generator = SystemRandomNumberGenerator()
        /// The call, with the number of the latest attempt.
        var call: HTTPCall
        /// Whether the call has begun to send requests.
        var hasSent = false
        /// The last response with content.
        var response: Response?
        /// The time of the next synchronization, which begins earlier if enough bytes arrive.
        var synchronizationTime: ClockInstant
    }

    /// The time after which to synchronize what has arrived, even if it is little.
    ///
    /// So a process that ends on a slow line loses about a second of its work.
    private static let synchronizationPeriod = Duration.seconds(1)

    /// The stages that each request of the call passes.
    let stages: NextStages
    let writer: PartialFileWriter
    /// The functions of the owner of the call; `nil` if it has none.
    let hooks: TransferHooks?

    private let clock: any TransportClock
    private let delegation: TaskDelegation?
    private let state: Mutex<State>

    /// Creates the state of a call.
    init(
        _ call: HTTPCall,
        _ machine: DownloadStateMachine,
        _ writer: PartialFileWriter,
        stages: NextStages,
        hooks: TransferHooks?
    ) {
        self.stages = stages
        self.writer = writer
        self.hooks = hooks
        self.clock = call.clock
        self.delegation = call.delegation
        let time = call.clock.now.advanced(by: Self.synchronizationPeriod)
        self.state = Mutex(State(machine: machine, call: call, synchronizationTime: time))
    }

    // MARK: Asking

    /// The call, with the number of the latest attempt.
    var call: HTTPCall { self.state.withLock { $0.call } }

    /// The last response with content.
    var response: Response? { self.state.withLock { $0.response } }

    /// The progress of the whole file.
    var progress: DownloadProgress { self.state.withLock { $0.machine.progress } }

    /// The maximum number of responses that the call has received at the same time.
    var concurrentRequestCount: Int { self.state.withLock { $0.machine.concurrentRequestCount } }

    /// Whether all workers must leave.
    var isEnding: Bool { self.state.withLock { $0.machine.isEnding } }

    /// The number of the worker that has made all workers leave; see ``DownloadStateMachine/endingNumber``.
    var endingNumber: Int? { self.state.withLock { $0.machine.endingNumber } }

    // MARK: Events between the workers' steps

    /// Records an event of the whole download.
    ///
    /// - Parameter event: Tells the machine, and returns the next step.
    /// - Returns: The next step.
    func record(_ event: (inout DownloadStateMachine) -> DownloadStep) -> DownloadStep {
        self.state.withLock { event(&$0.machine) }
    }

    /// Records that worker 0 is about to receive the body of a response.
    func begin(_ response: Response?) { self.state.withLock { $0.response = response } }

    /// Adds a worker; see ``DownloadStateMachine/addWorker()``.
    func addWorker() -> (number: Int, step: WorkerStep)? { self.state.withLock { $0.machine.addWorker() } }

    /// Waits until everything that has arrived is written; call this when all workers have left.
    ///
    /// If a synchronization has ended, this method also writes its record.
    ///
    /// - Throws: The failure of a write, of a synchronization, or of an action after it.
    func settle() async throws(FileWriter.Failure) {
        guard try await self.writer.settle() else { return }
        for step in self.state.withLock({ $0.machine.synced() }) { try await self.writer.perform(step) }
    }

    // MARK: Events of a worker

    /// Returns the call with the number of a new attempt, which the delegates are told about.
    ///
    /// The first attempt has begun with the call.
    func beginAttempt() -> HTTPCall {
        self.state.withLock { state in
            if state.hasSent { state.call.beginNextAttempt() }
            state.hasSent = true
            return state.call
        }
    }

    /// Records an event of a worker.
    ///
    /// - Parameters:
    ///   - response: The response of the worker, if it has one.
    ///   - event: Tells the machine, and returns the next step of the worker.
    /// - Returns: The next step of the worker, and the number of the worker that has made all workers leave, if any.
    func record(
        _ response: Response?,
        _ event: (inout DownloadStateMachine, inout SystemRandomNumberGenerator) -> WorkerStep
    ) -> (step: WorkerStep, endingNumber: Int?) {
        self.state.withLock { state in
            let step = event(&state.machine, &state.generator)
            if case .receive = step { state.response = response }
            return (step, state.machine.endingNumber)
        }
    }

    /// Records that a piece was queued to be written, reports the progress, and synchronizes the file if it is time.
    ///
    /// - Parameters:
    ///   - range: The place of the piece in the file.
    ///   - number: The number of the worker.
    /// - Returns: Whether the worker goes on. If not, it has left.
    /// - Throws: The failure of a synchronization, or of an action after it.
    func wrote(_ range: Range<Int64>, by number: Int) throws(FileWriter.Failure) -> Bool {
        let now = self.clock.now
        return try self.state.withLock { state throws(FileWriter.Failure) in
            let step = state.machine.wrote(range, by: number, isDue: now >= state.synchronizationTime)
            if step == .synchronize {
                state.synchronizationTime = now.advanced(by: Self.synchronizationPeriod)
                self.writer.beginSynchronization()
            }
            self.report(state.machine.progress)
            if try self.writer.takeEndOfSynchronization() { self.writer.performLater(state.machine.synced()) }
            return step != .leave
        }
    }

    /// Tells the delegates how much of the file has arrived, in this call and in earlier ones.
    private func report(_ count: DownloadProgress) {
        guard self.delegation != nil || self.hooks != nil else { return }
        let progress = TransferProgress(byteCount: count.completedByteCount, totalByteCount: count.totalByteCount)
        self.hooks?.progress(progress, progress.byteCount)
        self.delegation?.report(progress)
    }
}
